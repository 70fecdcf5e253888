import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

/** A page with its own modules and the device's shared database. Closing it drops its sessionStorage. */
async function openPage() {
  vi.resetModules();
  const session = await import('#client/platform/session/session.ts');
  const { deviceDb } = await import('#client/platform/db/device-db.ts');
  const cipher = await import('#client/platform/session/cipher.ts');
  await session.startSession();
  return { ...session, ...cipher, deviceDb };
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const refused = (status: number) => json(status, { status, code: 'refused', message: 'No.' });

const expired = () => makeTokens({ exp: Math.floor(Date.now() / 1000) - 10 });
const renewed = makeTokens({ refreshToken: 'refresh-2' });
let fetched: ReturnType<typeof vi.fn<typeof fetch>>;

beforeEach(async () => {
  fetched = vi.fn<typeof fetch>(async () => json(200, { status: 200, data: renewed }));
  vi.stubGlobal('fetch', fetched);
  const { deviceDb } = await openPage();
  await deviceDb.session.clear();
  sessionStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the stored session', () => {
  it('opens again after a restart, and identifies its user', async () => {
    const first = await openPage();
    await first.signIn(makeTokens(), true);
    const second = await openPage();
    expect(second.sessionState()).toMatchObject({ status: 'signed-in', claims: { sub: 'user-1', first_name: 'Ada' } });
  });

  it('is read with its key by opening the database once', async () => {
    const page = await openPage();
    // Without signIn, whose message lets other pages read the session too.
    await page.deviceDb.session.put({ id: 'current', sealed: await page.seal(makeTokens()), window: null });
    const open = vi.spyOn(IDBFactory.prototype, 'open');
    await page.startSession();
    const opened = open.mock.calls.map(([name]) => name);
    open.mockRestore();
    expect(page.sessionState().status).toBe('signed-in');
    expect(opened).toEqual(['tidemark']);
  });

  it('is encrypted: the database contains no plaintext, and no two ciphertexts are equal', async () => {
    const page = await openPage();
    await page.signIn(makeTokens(), true);
    const row = await page.deviceDb.session.get('current');
    expect(Buffer.from(row?.sealed ?? new ArrayBuffer()).toString('latin1')).not.toContain('refresh-1');
    const [one, two] = await Promise.all([page.seal('same'), page.seal('same')]);
    expect(Buffer.from(one)).not.toEqual(Buffer.from(two));
    expect(Buffer.from(one).subarray(0, 12)).not.toEqual(Buffer.from(two).subarray(0, 12));
    expect((await page.deviceDb.keys.get('storage'))?.key.extractable).toBe(false);
  });

  it.each([
    ['short', 'short000000000000000000000000000'],
    ['a key of more than thirty-two characters', 'a key of more than thirty-two ch'],
  ])('is encrypted with the configured key "%s", padded with zeros or cut to 32 characters', async (configured, key) => {
    vi.stubEnv('VITE_STORAGE_KEY', configured);
    try {
      vi.resetModules();
      const { seal } = await import('#client/platform/session/cipher.ts');
      const blob = new Uint8Array(await seal({ accessToken: 'a' }));
      const raw = await crypto.subtle.importKey('raw', new TextEncoder().encode(key), 'AES-GCM', false, ['decrypt']);
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: blob.subarray(0, 12) }, raw, blob.subarray(12));
      expect(key).toHaveLength(32);
      expect(new TextDecoder().decode(plain)).toBe('{"accessToken":"a"}');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    '',
    'one.two',
    'a.b.c',
    `x.${btoa('not json')}.y`,
    `x.${btoa('null')}.y`,
    `x.${btoa('{"sub":1}')}.y`,
    `x.${btoa('{"sub":"u"}')}.y`,
  ])('is not created from the undecodable token %j', async (accessToken) => {
    const page = await openPage();
    await page.signIn({ accessToken, refreshToken: 'r' }, true);
    expect(page.sessionState().status).toBe('signed-out');
    expect(await page.accessToken()).toBeUndefined();
  });

  it('is cleared after tampering, and redirects to login', async () => {
    const page = await openPage();
    await page.signIn(makeTokens(), true);
    const row = await page.deviceDb.session.get('current');
    if (!row) throw new Error('no session was stored');
    const bytes = new Uint8Array(row.sealed);
    bytes[20] = 255 - (bytes[20] ?? 0);
    await page.deviceDb.session.put(row);
    const next = await openPage();
    expect(next.sessionState()).toEqual({ status: 'signed-out', ended: true });
    expect(await next.deviceDb.session.count()).toBe(0);
  });

  it('survives a reload but not the window if it is not remembered', async () => {
    const page = await openPage();
    await page.signIn(makeTokens(), false);
    expect((await openPage()).sessionState().status).toBe('signed-in'); // a reload keeps sessionStorage

    vi.stubGlobal('navigator', { ...navigator, locks: { request: () => new Promise(() => {}), query: async () => ({ held: [] }) } });
    sessionStorage.clear();
    const later = await openPage();
    expect(later.sessionState()).toEqual({ status: 'signed-out', ended: false });
    expect(await later.deviceDb.session.count()).toBe(0);
  });

  it.each([false, true])("without Remember Me, deletes its user's data after its window, unless a command waits: %s", async (isUnsent) => {
    const page = await openPage();
    await page.signIn(makeTokens(), false);
    const { userDb } = await import('#client/platform/db/user-db.ts');
    await userDb('user-1').drafts.put({ key: 'new', text: 'half a thought', imageId: null, editing: null });
    if (isUnsent) await enqueue(userDb('user-1'), { id: 'one', lane: 'any', body: {}, createdAt: 0 });

    vi.stubGlobal('navigator', { ...navigator, locks: { request: () => new Promise(() => {}), query: async () => ({ held: [] }) } });
    sessionStorage.clear();
    const later = await openPage();
    expect(await later.deviceDb.session.count()).toBe(0);
    const names = (await indexedDB.databases()).map(({ name }) => name);
    expect(names.includes('tidemark-user-user-1')).toBe(isUnsent);
    expect(await later.deviceDb.wipes.count()).toBe(0);
  });

  it('is shared with a second tab while the first is open if it is not remembered', async () => {
    const page = await openPage();
    await page.signIn(makeTokens(), false);
    sessionStorage.clear(); // a new tab has its own
    expect((await openPage()).sessionState().status).toBe('signed-in');
  });
});

describe('refreshing', () => {
  it('happens once for any number of requests with an expired token', async () => {
    const page = await openPage();
    await page.signIn(expired(), true);
    const tokens = await Promise.all(Array.from({ length: 1000 }, () => page.accessToken()));
    expect(new Set(tokens)).toEqual(new Set([renewed.accessToken]));
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('happens once across two tabs', async () => {
    const one = await openPage();
    await one.signIn(expired(), true);
    const two = await openPage();
    const tokens = await Promise.all([one.accessToken(), two.accessToken()]);
    expect(tokens).toEqual([renewed.accessToken, renewed.accessToken]);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('happens once across two tabs and the worker', async () => {
    const one = await openPage();
    await one.signIn(expired(), true);
    const two = await openPage();
    vi.stubGlobal('sessionStorage', undefined);
    const worker = await openPage();
    const tokens = await Promise.all([one, two, worker].flatMap((each) => Array.from({ length: 50 }, () => each.accessToken())));
    expect(new Set(tokens)).toEqual(new Set([renewed.accessToken]));
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('happens once on a device whose clock is an hour ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const page = await openPage();
    await page.signIn(expired(), true);
    await page.accessToken();
    expect(await page.accessToken()).toBe(renewed.accessToken);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('happens once for two tabs of that device, also if the second hears of it before it asks', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const page = await openPage();
    await page.signIn(expired(), true);
    const other = await openPage();
    await page.accessToken();
    await vi.waitFor(() => expect(other.currentTokens()).toEqual(renewed));
    expect(await other.accessToken()).toBe(renewed.accessToken);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('gives a request of one user no token of another, whom another tab has signed in', async () => {
    const page = await openPage();
    const stale = expired();
    await page.signIn(stale, true);
    await (await openPage()).signIn(makeTokens({ sub: 'user-2' }), true);
    expect(await page.refresh(stale.accessToken)).toBeUndefined();
    expect(page.sessionState()).toMatchObject({ status: 'signed-in', claims: { sub: 'user-2' } });
    expect(fetched).not.toHaveBeenCalled();
  });

  it('does not happen while the token is valid', async () => {
    const page = await openPage();
    const good = makeTokens();
    await page.signIn(good, true);
    expect(await page.accessToken()).toBe(good.accessToken);
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([401, 403])('ends the session if it is refused with %i', async (status) => {
    fetched.mockResolvedValue(refused(status));
    const page = await openPage();
    await page.signIn(expired(), true);
    expect(await page.accessToken()).toBeUndefined();
    expect(page.sessionState()).toEqual({ status: 'signed-out', ended: true });
    expect(await page.deviceDb.session.count()).toBe(0);
  });

  it.each([
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a server in trouble', async () => refused(503)],
    ['a captive portal', async () => new Response('<html>Welcome aboard</html>', { headers: { 'Content-Type': 'text/html' } })],
  ])('keeps the session after %s', async (_what, answer) => {
    fetched.mockImplementation(answer as typeof fetch);
    const page = await openPage();
    await page.signIn(expired(), true);
    await expect(page.accessToken()).rejects.toThrow();
    expect(page.sessionState().status).toBe('signed-in');
    expect(await page.deviceDb.session.count()).toBe(1);
  });

  it('stays on a device that cannot delete it after the server has ended it, with the data of its user', async () => {
    fetched.mockResolvedValue(refused(403));
    const page = await openPage();
    const value = expired();
    await page.signIn(value, true);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('', 'UnknownError');
    });
    expect(await page.accessToken()).toBeUndefined();
    expect(page.sessionState()).toEqual({ status: 'signed-out', ended: true });
    vi.restoreAllMocks();
    // The next start asks the server once more.
    expect((await openPage()).currentTokens()).toEqual(value);
  });
});
