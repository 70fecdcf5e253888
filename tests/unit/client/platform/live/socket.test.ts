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
      on: (event: string, listener: () => void) => library.listeners.set(event, listener),
      connect: () => library.queries.push(opts.query),
      disconnect: () => {},
    };
  },
}));

beforeEach(() => {
  vi.resetModules();
  library.opened.length = 0;
  library.queries.length = 0;
});
afterEach(() => {
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

it('reconnects at once after a lost connection, but after a newer page took its slot only once visible', async () => {
  const { signIn, endSession } = await import('#client/platform/session/session.ts');
  const { startSocket } = await import('#client/platform/live/socket.ts');
  await signIn(makeTokens(), true);
  startSocket();
  await vi.waitFor(() => expect(library.queries).toHaveLength(1));
  // Attempts read the session from the device: real promises, so only the timers are faked.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hear = (event: string) => library.listeners.get(event)?.();
  const attemptsAfter = async (ms: number) => {
    const before = library.queries.length;
    await vi.advanceTimersByTimeAsync(ms);
    return library.queries.length - before;
  };

  hear('disconnect');
  expect(await attemptsAfter(2_000)).toBe(1);

  hear('displaced');
  hear('disconnect');
  expect(await attemptsAfter(4 * 60_000)).toBe(0);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(await attemptsAfter(1_000)).toBe(1);

  hear('disconnect');
  expect(await attemptsAfter(2_000)).toBe(1);
  vi.useRealTimers();
  await endSession();
});
