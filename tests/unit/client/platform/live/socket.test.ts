import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

/** A fake of the library, with a socket that records calls. */
const library = vi.hoisted(() => ({
  opened: [] as { address: string; options: Record<string, unknown> }[],
  queries: [] as unknown[],
  listeners: new Map<string, () => void>(),
}));

vi.mock('socket.io-client', () => ({
  io: (address: string, options: Record<string, unknown>) => {
    library.opened.push({ address, options });
    const opts: { query?: unknown } = {};
    return {
      connected: false,
      active: false,
      io: { opts },
      on(event: string, listener: () => void) {
        const others = library.listeners.get(event);
        library.listeners.set(event, () => {
          others?.();
          listener();
        });
      },
      connect: () => library.queries.push(opts.query),
      disconnect: () => {},
    };
  },
}));

beforeEach(() => {
  vi.resetModules();
  library.opened.length = 0;
  library.queries.length = 0;
  library.listeners.clear();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('connects over WebSocket only, with the current access token in the query', async () => {
  const { signIn, endSession } = await import('#client/platform/session/session.ts');
  const { startSocket } = await import('#client/platform/live/socket.ts');
  const session = makeTokens();
  await signIn(session, true);
  startSocket();
  await vi.waitFor(() => expect(library.queries).toEqual([{ token: session.accessToken }]));
  expect(library.opened).toMatchObject([
    { address: location.origin, options: { path: '/socket.io', transports: ['websocket'], reconnection: false } },
  ]);

  const other = makeTokens({ sub: 'user-2' });
  await signIn(other, true);
  await vi.waitFor(() => expect(library.queries.at(-1)).toEqual({ token: other.accessToken }));
  expect(library.opened).toHaveLength(1);
  await endSession();
});

it.each([
  { drawn: 0, from: 500 },
  { drawn: 0.98, from: 1_480 },
])('reconnects after a time that differs from page to page: $from ms where $drawn is drawn', async ({ drawn, from }) => {
  const { signIn, endSession } = await import('#client/platform/session/session.ts');
  const { startSocket } = await import('#client/platform/live/socket.ts');
  await signIn(makeTokens(), true);
  startSocket();
  await vi.waitFor(() => expect(library.queries).toHaveLength(1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(drawn);
  library.listeners.get('disconnect')?.();
  await vi.advanceTimersByTimeAsync(from - 10);
  expect(library.queries).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20);
  await expect.poll(() => library.queries.length).toBe(2);
  vi.useRealTimers();
  await endSession();
});

it('reconnects at once after a lost connection, but after a newer page took its slot only once visible', async () => {
  const { signIn, endSession } = await import('#client/platform/session/session.ts');
  const { startSocket } = await import('#client/platform/live/socket.ts');
  await signIn(makeTokens(), true);
  startSocket();
  await vi.waitFor(() => expect(library.queries).toHaveLength(1));
  // Attempts read the session from the device: real promises, so only the timers are faked.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hear = (event: string) => library.listeners.get(event)?.();
  const attempts = async (count: number, { after }: { after: number }) => {
    const before = library.queries.length;
    await vi.advanceTimersByTimeAsync(after);
    await expect.poll(() => library.queries.length - before).toBe(count);
  };

  hear('disconnect');
  await attempts(1, { after: 2_000 });

  hear('displaced');
  hear('disconnect');
  await attempts(0, { after: 4 * 60_000 });
  document.dispatchEvent(new Event('visibilitychange'));
  await attempts(1, { after: 1_000 });

  hear('disconnect');
  await attempts(1, { after: 2_000 });
  vi.useRealTimers();
  await endSession();
});

it('reloads what a page reads after it connects when the server says that it may have missed something', async () => {
  const { signIn, endSession } = await import('#client/platform/session/session.ts');
  const { startSocket } = await import('#client/platform/live/socket.ts');
  const { onSyncTrigger } = await import('#client/platform/outbox/sync-triggers.ts');
  const { startFollowingWatchlist } = await import('#client/features/watchlist/follow-watchlist.ts');
  const { startFollowingArchives } = await import('#client/features/archive/follow-archives.ts');
  const { startSendingQuestions } = await import('#client/features/chat/ask/send-questions.ts');
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: URL | string) => {
    asked.push(new URL(url, location.origin).pathname);
    return Response.json({ status: 200, data: [] });
  });
  const sync = vi.fn();
  await signIn(makeTokens(), true);
  onSyncTrigger(sync);
  startFollowingWatchlist(() => undefined);
  startFollowingArchives(() => undefined);
  startSendingQuestions();
  startSocket();
  await vi.waitFor(() => expect(library.queries).toHaveLength(1));

  const asksOn = async (event: string) => {
    asked.length = 0;
    sync.mockClear();
    library.listeners.get(event)?.();
    expect(sync).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(2));
    return [...asked].sort();
  };
  const afterConnect = await asksOn('connect');
  expect(await asksOn('missed')).toEqual(afterConnect);
  await endSession();
});
