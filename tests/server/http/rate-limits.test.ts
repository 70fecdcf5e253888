import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiError } from '#contract/errors.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { PASSWORD, startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
let address = 0;

beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: 'on' } });
});
beforeEach(() => {
  // The minute must not end while a test counts.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  address++;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => server.close());

const from = (last = address) => ({ 'x-forwarded-for': `10.1.${last}.1` });

/** Sends until the rate limit refuses. Returns the number of accepted calls. */
async function untilLimited(send: () => Promise<Response>, most: number): Promise<number> {
  for (let sent = 0; sent <= most; sent++) {
    const response = await send();
    if (response.status !== 429) continue;
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(apiError.parse(await response.json())).toMatchObject({ status: 429, code: 'too_many_requests' });
    return sent;
  }
  throw new Error(`not limited after ${most} calls`);
}

describe('one address', () => {
  test.each([
    ['register', { email: 'not an address' }, 120],
    ['resend-verification-code', { email: 'not an address' }, 30],
    ['login', { email: 'not an address' }, 60],
    ['forgot-password', { email: 'not an address' }, 30],
    ['verify-recovery-code', { email: 'not an address' }, 60],
    ['reset-password', { email: 'not an address' }, 60],
    ['verify-otp', { email: 'not an address' }, 60],
    ['refresh-token', { refreshToken: 'none' }, 120],
  ])('may call %s so often and not more', async (route, body, most) => {
    expect(await untilLimited(() => server.post(`/auth/${route}/`, body, from()), most)).toBe(most);
    expect((await server.post(`/auth/${route}/`, body, from(200 + address))).status).toBeLessThan(429);
  });
});

test.each([
  ['/shared-chat', {}, 60],
  ['/shared-chat/picture', { place: 0 }, 300],
])('one address may guess at %s so often and not more', async (route, body, most) => {
  const guess = () => server.post(route, { token: 'x'.repeat(43), ...body }, from());
  expect(await untilLimited(guess, most)).toBe(most);
});

describe('a neighborhood of networks', () => {
  /** Returns the next /64 of the same /48, or the next address of the same /24. */
  const spreads = [
    ['an IPv6 /48', (host: number) => `2001:db8:${host % 2 ? '9:' : '9:a'}${host.toString(16)}::1`, '2001:db8:a::1'],
    ['an IPv4 /24', (host: number) => `10.9.9.${host % 256}`, '10.9.8.1'],
  ] as const;
  const ask = (ip: string) => server.post('/auth/resend-verification-code/', { email: 'not an address' }, { 'x-forwarded-for': ip });

  test.each(spreads)('of %s may call ten times as often as one network and not more', async (_, member, neighbor) => {
    let host = 0;
    expect(await untilLimited(() => ask(member(host++)), 320)).toBe(300);
    expect((await ask(neighbor)).status).toBe(400);
  });

  test('can have twice as many codes mailed to one account as one network', async () => {
    const { user } = await server.signUp();
    let host = 0;
    const forgot = () =>
      server.post('/auth/forgot-password/', { email: user.email }, { 'x-forwarded-for': `2001:db8:b:${(host++).toString(16)}::1` });
    expect(await untilLimited(forgot, 20)).toBe(16);
    expect((await server.post('/auth/forgot-password/', { email: user.email }, from())).status).toBe(200);
  });
});

describe('one account', () => {
  test('is mailed 8 codes in a quarter of an hour for one network, by whichever route', async () => {
    const email = `${randomUUID()}@example.com`;
    const registration = { first_name: 'Ada', last_name: 'Lovelace', email, country: '', password: PASSWORD };
    expect((await server.post('/auth/register/', registration, from())).status).toBe(201);
    const routes = ['resend-verification-code', 'forgot-password'];
    const ask = () => {
      const [route = ''] = routes;
      routes.reverse();
      return server.post(`/auth/${route}/`, { email: ` ${email.toUpperCase()}` }, from());
    };
    expect(await untilLimited(ask, 10)).toBe(7);
    expect((await server.post('/auth/register/', registration, from())).status).toBe(429);
    expect((await server.post('/auth/register/', { ...registration, email: `${randomUUID()}@example.com` }, from())).status).toBe(201);
  });

  test('gets 24 codes in all, and requests of others do not count against it', async () => {
    const { user } = await server.signUp();
    for (let caller = 1; caller <= 30; caller++) {
      expect((await server.post('/auth/forgot-password/', { email: user.email }, from(50 + caller))).status).toBe(200);
    }
    await server.settled();
    const codes = (await lettersTo(server.dataDir, user.email)).filter(({ subject }) => subject.includes('password reset'));
    expect(codes).toHaveLength(24);
    const last = codes[0]?.text.match(/^(\d{4})$/m)?.[1];
    expect((await server.post('/auth/verify-recovery-code/', { email: user.email, recoveryCode: last }, from())).status).toBe(200);
  });

  test('resists guessing without locking out its owner', async () => {
    const { user } = await server.signUp();
    const guess = () => server.post('/auth/login/', { email: user.email, password: 'Guess-1234' }, from());
    const owner = (last: number) => server.post('/auth/login/', { email: user.email, password: PASSWORD }, from(last));
    expect(await untilLimited(guess, 25)).toBe(20);
    expect((await owner(201)).status).toBe(200);
    // A success neither resets the guesser's limit nor uses up the owner's.
    expect((await guess()).status).toBe(429);
    for (let visit = 0; visit < 5; visit++) expect((await owner(201)).status).toBe(200);
    expect((await owner(202)).status).toBe(200);
    expect((await guess()).status).toBe(429);
  });

  test('gives a guesser with a whole IPv6 network no more tries', async () => {
    const { user } = await server.signUp();
    let host = 0;
    const guess = () =>
      server.post(
        '/auth/login/',
        { email: user.email, password: 'Guess-1234' },
        { 'x-forwarded-for': `2001:db8:0:7::${(host++).toString(16)}` },
      );
    expect(await untilLimited(guess, 25)).toBe(20);
    const neighbor = { 'x-forwarded-for': '2001:db8:0:8::1' };
    expect((await server.post('/auth/login/', { email: user.email, password: PASSWORD }, neighbor)).status).toBe(200);
  });
});

describe('many people behind one address', () => {
  const often = async (times: number, ask: () => Promise<Response>) => {
    const statuses = new Set<number>();
    for (let asked = 0; asked < times; asked += 50)
      for (const { status } of await Promise.all(Array.from({ length: 50 }, ask))) statuses.add(status);
    return [...statuses];
  };

  test('always get the files of the app, and who is signed in is counted alone', async () => {
    const clientDir = mkdtempSync(join(tmpdir(), 'tidemark-client-'));
    writeFileSync(join(clientDir, 'index.html'), '<!doctype html>');
    writeFileSync(join(clientDir, 'sw.js'), '');
    const shared = await startServer({ clientDir });
    try {
      const [one, other] = [await shared.signUp(), await shared.signUp()];
      expect(await often(1_300, () => fetch(`${shared.url}/sw.js`))).toEqual([200]);
      expect(await often(50, () => fetch(`${shared.url}/home`, { headers: { accept: 'text/html' } }))).toEqual([200]);
      const nothing = ({ authorization }: typeof one) => fetch(`${shared.url}/api/auth/user/unknown/`, { headers: { authorization } });
      const { status } = await nothing(other);
      expect(await often(1_300, () => nothing(one))).toEqual([status, 429]);
      expect((await nothing(other)).status).toBe(status);
      // Routes without a session count by address.
      const { authorization } = one;
      expect(await often(1_300, () => fetch(`${shared.url}/api/config`, { headers: { authorization } }))).toEqual([200, 429]);
      expect((await nothing(other)).status).toBe(status);
    } finally {
      await shared.close();
      rmSync(clientDir, { recursive: true });
    }
  });
});

test('a caller cannot name another address where no proxy is trusted', async () => {
  const bare = await startServer();
  try {
    let claimed = 0;
    const call = () => bare.post('/auth/resend-verification-code/', { email: 'x' }, from(claimed++));
    expect(await untilLimited(call, 40)).toBe(30);
  } finally {
    await bare.close();
  }
});
