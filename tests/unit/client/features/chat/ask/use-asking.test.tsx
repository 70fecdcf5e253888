import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useAsking } from '#client/features/chat/ask/use-asking.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';

const OTHER = 'another-conversation';
const stored = [chatRow({ id: 'first' })];
const question = chatRow({ id: 'asked' });

function shown() {
  const { result, rerender } = renderHook(({ archive, rows }) => useAsking(archive, rows), {
    initialProps: { archive: ARCHIVE as string | undefined, rows: stored as typeof stored | undefined },
  });
  return { at: (archive: string | undefined, rows: typeof stored | undefined) => rerender({ archive, rows }), result };
}
const idsOf = ({ current }: { current: ReturnType<typeof useAsking> }) => current.messages?.map(({ id }) => id);

it('shows a question behind the stored ones until it is stored, and not again', () => {
  const { at, result } = shown();
  act(() => result.current.setAsking(question));
  expect(idsOf(result)).toEqual(['first', 'asked']);
  at(ARCHIVE, [...stored, question]);
  expect(idsOf(result)).toEqual(['first', 'asked']);
  at(ARCHIVE, stored); // discarded
  expect(idsOf(result)).toEqual(['first']);
});

it('shows the first question of a new conversation while its page opens', () => {
  const { at, result } = shown();
  at(undefined, undefined);
  act(() => result.current.setAsking(question));
  at(ARCHIVE, undefined);
  expect(idsOf(result)).toEqual(['asked']);
});

it('shows it neither in another conversation nor after it was taken back', () => {
  const { at, result } = shown();
  act(() => result.current.setAsking(question));
  at(OTHER, stored);
  expect(idsOf(result)).toEqual(['first']);
  at(ARCHIVE, stored);
  expect(idsOf(result)).toEqual(['first']);
  act(() => result.current.setAsking(question));
  act(() => result.current.setAsking(undefined));
  expect(idsOf(result)).toEqual(['first']);
});
