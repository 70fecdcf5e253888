import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { archives } from '#client/features/archive/archives.ts';
import { coinDetailsResource } from '#client/features/market/coin/coin-details-resource.ts';
import { coinListResource } from '#client/features/market/list/coin-list-resource.ts';
import { startEarly } from '#client/first-script/first-script.ts';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { readChoice } from '#domain/market/list-address.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const tokens = makeTokens({ sub: 'user-7' });
const fetched = vi.fn<typeof fetch>();
const open = (address: string) => history.replaceState(null, '', address);

beforeEach(() => {
  delete (globalThis as { earlyAnswer?: unknown }).earlyAnswer;
  fetched.mockReset().mockImplementation(async () => Response.json({}, { status: 500 }));
  vi.stubGlobal('fetch', fetched);
  open('/crypto');
});

afterEach(async () => {
  await endSession();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the first script', () => {
  it.each([
    ['/crypto', () => coinListResource.fetch({ ...readChoice(''), top: 20 })],
    ['/crypto?sort=price', () => coinListResource.fetch(readChoice('?sort=price'))],
    ['/crypto/?currency=BTC&top=10&priceMin=2.5&volumeMax=3', () => coinListResource.fetch(readChoice(location.search))],
    ['/home', () => archives.fetch({ userId: 'user-7' })],
    ['/archive/', () => archives.fetch({ userId: 'user-7' })],
    ['/crypto/details/1027', () => coinDetailsResource.fetch({ id: 1027, userId: 'user-7' })],
  ])('asks on %s what the app asks first, and the app takes the answer', async (address, fetchOfApp) => {
    await signIn(tokens, true);
    open(address);
    await startEarly();
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).get('Authorization')).toBe(`Bearer ${tokens.accessToken}`);
    await expect(fetchOfApp()).rejects.toMatchObject({ status: 500 });
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('leaves conversations to the app when the device has some, because the list tells which are deleted', async () => {
    await signIn(tokens, true);
    await userDb('user-7').archives.put({ id: 'a', archive_title: 'Stored', created_at: '2026-01-01T00:00:00.000Z' });
    open('/archive');
    await startEarly();
    await expect(archives.fetch({ userId: 'user-7' })).rejects.toMatchObject({ status: 500 });
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('uses a session of this window', async () => {
    await signIn(tokens, false);
    await startEarly();
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => unknown]>([
    ['without a session', () => undefined],
    ['with a session of another window', async () => signIn(tokens, false).then(() => sessionStorage.clear())],
    ['with an expired token', () => signIn(makeTokens({ exp: Math.floor(Date.now() / 1000) + 20 }), true)],
    ['on a page that asks for nothing first', () => signIn(tokens, true).then(() => open('/settings/account'))],
    ['with an invalid coin', () => signIn(tokens, true).then(() => open('/crypto/details/..%2f..'))],
    [
      'where a worker serves the app',
      () => signIn(tokens, true).then(() => vi.stubGlobal('navigator', { serviceWorker: { controller: {} } })),
    ],
    ['after a sign-out', () => signIn(tokens, true).then(endSession)],
  ])('sends nothing %s', async (_case, prepare) => {
    await prepare();
    await startEarly();
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([
    ['altered', async () => deviceDb.session.update('current', { sealed: new ArrayBuffer(40) })],
    [
      'sealed with another key',
      async () =>
        deviceDb.keys
          .clear()
          .then(() => signIn(tokens, true))
          .then(() => deviceDb.keys.clear()),
    ],
  ])('sends nothing when the session is %s', async (_case, alter) => {
    await signIn(tokens, true);
    await alter();
    await startEarly().catch(() => undefined);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('creates no device database', async () => {
    await deviceDb.delete();
    await startEarly();
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('tidemark');
    await deviceDb.open();
    expect(await deviceDb.session.count()).toBe(0);
  });
});
