import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeTokens } from '../../../support/tokens';

/** Stands for the library: what it was told, and a socket that does nothing but remember. */
const library = vi.hoisted(() => ({ opened: [] as { address: string; options: Record<string, unknown> }[], queries: [] as unknown[] }));

vi.mock('socket.io-client', () => ({
  io: (address: string, options: Record<string, unknown>) => {
    library.opened.push({ address, options });
    const opts: { query?: unknown } = {};
    return {
      connected: false,
      active: false,
      io: { opts },
      on: () => {},
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
afterEach(() => vi.unstubAllGlobals());

it('connects over websocket only, with the access token of the moment in the query', async () => {
  const { signIn, endSession } = await import('../../../../src/client/platform/session/session');
  const { startSocket } = await import('../../../../src/client/platform/live/socket');
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
