import { cleanup, render } from '@testing-library/react';
import { Lexer } from 'marked';
import { afterEach, expect, it, vi } from 'vitest';
import { AnswerText } from '#client/features/chat/answer/answer-text.tsx';
import { parseMarkdown } from '#client/features/chat/answer/markdown.tsx';
import { prepareAnswers, textOf } from '#client/features/chat/answer/shown-markdown.ts';
import type { LocalMessage } from '#client/features/chat/conversation/conversation.ts';
import { amountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { broadcastSignOut } from '#client/platform/session/sign-out-in-other-tabs.ts';
import { chatRow } from '#tests/support/chat/chat-rows.ts';

const lex = vi.spyOn(Lexer, 'lex');

afterEach(() => {
  cleanup();
  amountsHidden.set(false);
  lex.mockClear();
});

/** What the device has of a conversation: its last answer offers choices. */
const conversation = (name: string): LocalMessage[] =>
  [1, 2, 3, 4].map((position) => {
    const text = `${name} answer **${position}**`;
    const id = `${name}-${position}`;
    return chatRow({
      id,
      position,
      ai_response: position < 4 ? text : `${text}\n\n- Yes\n- No`,
      ...(position === 4 && { choices: ['Yes', 'No'] }),
    });
  });

/** Returns the positions of the answers that have to be parsed to be shown. */
function parsedNow(messages: LocalMessage[]): number[] {
  return messages.flatMap((message, index) => {
    lex.mockClear();
    render(<AnswerText text={textOf(message, index === messages.length - 1)} figures={message.figures} />);
    return lex.mock.calls.length > 0 ? [message.position] : [];
  });
}

it('parses the answers of the first frame, the last one without the choices that are buttons', () => {
  const messages = conversation('First');
  prepareAnswers(messages);
  expect(parsedNow(messages)).toEqual([1]);
});

it('parses what hidden amounts show', () => {
  amountsHidden.set(true);
  const ai_response = 'You won $5.00, of $9.';
  const figures = {
    sources: [{ tool: 'account', name: 'Your bots', asOf: '2026-05-13T09:30:00.000Z' }],
    list: [{ at: 8, length: 5, label: 'Won', value: 5, unit: 'USD', source: 0 }],
  };
  const message = { ...chatRow({ id: 'own', ai_response }), figures } as LocalMessage;
  prepareAnswers([message]);
  expect(parsedNow([message])).toEqual([]);
  expect(lex).not.toHaveBeenCalledWith(expect.stringContaining('$5.00'));
});

it('parses no error, which is no Markdown', () => {
  prepareAnswers([{ ...chatRow({ id: 'failed', ai_response: 'No answer.' }), failed: true }]);
  expect(lex).not.toHaveBeenCalled();
});

it('forgets the answers of a user who signs out', () => {
  const messages = conversation('Left');
  prepareAnswers(messages);
  broadcastSignOut('ada');
  expect(parsedNow(messages)).toEqual([1, 2, 3, 4]);
});

it('keeps the answers of four conversations', () => {
  const chats = ['a', 'b', 'c', 'd', 'e'].map(conversation);
  for (const chat of chats) prepareAnswers(chat);
  expect(chats.map(parsedNow)).toEqual([[1, 2, 3, 4], [1], [1], [1], [1]]);
  prepareAnswers(chats[1] ?? []);
  prepareAnswers(conversation('f'));
  lex.mockClear();
  for (const { ai_response } of (chats[1] ?? []).slice(1, 3)) parseMarkdown(ai_response);
  expect(lex).not.toHaveBeenCalled();
});
