import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useBots } from '#client/features/bots/use-bots.ts';
import { isReachable, onReachabilityChange, reportReachable } from '#client/platform/live/reachability.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { type Answers, fakeApi } from '#tests/support/client/fake-api.ts';
import { LIST, listed, signInEachTest } from './fake-bots.tsx';

let visibility: DocumentVisibilityState;

/** The same settings as app.tsx. */
const alone = ({ children }: { children: ReactNode }) => (
  <SWRConfig
    value={{
      provider: () => new Map(),
      dedupingInterval: 0,
      shouldRetryOnError: false,
      isOnline: isReachable,
      initReconnect: (reconnect) => onReachabilityChange(() => isReachable() && reconnect()),
    }}
  >
    {children}
  </SWRConfig>
);

function look(next: DocumentVisibilityState) {
  visibility = next;
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
signInEachTest();
// Hooks run last first: the helper's clean-up needs real timers.
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function polling() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const answers: Answers = { [LIST]: listed(bot()) };
  const asked = fakeApi(answers);
  const { result } = renderHook(() => useBots('user-1'), { wrapper: alone });
  await waitFor(() => expect(result.current.data).toHaveLength(1));
  return {
    times: () => asked.filter(({ call }) => call === LIST).length,
    pass: (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000)),
    disconnect: () => delete answers[LIST],
    connect() {
      answers[LIST] = listed(bot());
      act(() => reportReachable());
    },
  };
}

it('pauses while the page is hidden, and polls at once when it is visible again', async () => {
  const { times, pass } = await polling();
  for (const polls of [2, 3]) {
    await pass(5.5);
    await waitFor(() => expect(times()).toBeGreaterThanOrEqual(polls));
  }
  act(() => look('hidden'));
  await pass(5);
  const before = times();
  await pass(60);
  expect(times()).toBe(before);
  act(() => look('visible'));
  await waitFor(() => expect(times()).toBeGreaterThan(before)); // the next poll may follow at once
});

it('pauses while the service is unreachable, and polls at once after a reconnect', async () => {
  const { times, pass, disconnect, connect } = await polling();
  disconnect();
  await pass(6);
  await waitFor(() => expect(isReachable()).toBe(false));
  const before = times();
  await pass(60);
  expect(times()).toBe(before);
  connect();
  await waitFor(() => expect(times()).toBeGreaterThan(before)); // the next poll may follow at once
});
