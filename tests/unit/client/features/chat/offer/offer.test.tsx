import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LocalMessage } from '#client/features/chat/conversation/conversation.ts';
import { Messages } from '#client/features/chat/conversation/messages.tsx';
import { ActionSlot } from '#client/features/chat/offer/action-slot.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Action } from '#contract/chat/offers.ts';
import { choicesText } from '#domain/analyst/answers/choices-text.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';

const choices = ['Solana price', 'How volatile is Solana?'];
const text = `What do you want to know about Solana?${choicesText(choices)}\n\nData: now.`;
const asking = chatRow({ id: 'asking', ai_response: text, choices });
const action: Action = { kind: 'watch', watched: true, coins: [{ id: 1, name: 'Bitcoin', symbol: 'BTC' }] };
const ask = vi.fn();

const show = (messages: LocalMessage[]) =>
  render(
    <ActionSlot value={(id, { kind }) => <p>{`offers ${kind} of ${id}`}</p>}>
      <Messages messages={messages} current editing={undefined} onRead={() => {}} onAsk={ask} />
    </ActionSlot>,
  );
const list = () => screen.queryByRole('list', { name: 'Questions to choose from' });

beforeEach(() => signIn(makeTokens({ sub: 'offered' }), true));
afterEach(() => {
  cleanup();
  ask.mockReset();
  return endSession();
});

it('shows the questions of the last answer as buttons, in place of their list, and asks one once', () => {
  show([asking]);
  const buttons = within(list() as HTMLElement).getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual(choices);
  expect(screen.getAllByText('Solana price')).toHaveLength(1);
  fireEvent.click(buttons[0] as HTMLElement);
  fireEvent.click(buttons[1] as HTMLElement);
  expect(ask.mock.calls).toEqual([['Solana price']]);
});

it('shows them as plain text once the conversation has gone on', () => {
  show([asking, unanswered({ id: 'next', position: 2 })]);
  expect(list()).toBeNull();
  expect(screen.getByText('Solana price').closest('button')).toBeNull();
});

it('shows those of an answer of this device until the server answers', () => {
  const device_answer = { text, asOf: 0, choices };
  show([{ ...unanswered({ id: 'asking' }), device_answer }]);
  expect(within(list() as HTMLElement).getAllByRole('button')).toHaveLength(2);
  cleanup();
  show([{ ...chatRow({ id: 'asking', ai_response: 'Another answer' }), device_answer }]);
  expect(list()).toBeNull();
});

it('offers once what an answer can do, of the server before that of this device', () => {
  const device_answer = { text: 'On the device', asOf: 0, action };
  show([{ ...unanswered({ id: 'a' }), device_answer }]);
  expect(screen.getAllByText('offers watch of a')).toHaveLength(1);
  cleanup();
  show([{ ...chatRow({ id: 'a', action }), device_answer }]);
  expect(screen.getAllByText('offers watch of a')).toHaveLength(1);
  cleanup();
  show([chatRow({ id: 'a', action, failed: true })]);
  expect(screen.queryByText('offers watch of a')).toBeNull();
});
