import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '#domain/clock.ts';
import { createBudgets } from '#server/budgets.ts';
import { budgets as budgetRows } from '#server/db/schema/requests.ts';
import { GUESS_LIMITS, type GuessKind, guessUses } from '#server/guess-limits.ts';
import { networksOf } from '#server/http/network.ts';
import { passwordMatches } from '#server/modules/accounts/passwords.ts';
import { sendCommand } from '#server/operator/send-command.ts';
import { lettersTo, otherThan } from '#tests/support/mail/letters.ts';
import { type Postgres, startPostgres } from '#tests/support/processes/postgres.ts';
import { PASSWORD, startServer, type TestServer } from '#tests/support/server/server.ts';
import { stayWithin } from '#tests/support/stay-within.ts';

// Of the real day: beside PostgreSQL, the cleanup goes by the database's clock and deletes what has expired by it.
const NOON = Math.floor(Date.now() / DAY) * DAY + 12 * HOUR;
const WRONG = 'Guess-1234';
const log: string[] = [];
let now = NOON;
let server: TestServer;

beforeAll(async () => {
  server = await startServer({
    clock: () => now,
    env: { TRUST_PROXY: 'on', LOG_LEVEL: 'info' },
    logTo: { write: (line) => log.push(line) },
  });
});
/** Each test has its own day, and so its own limits. */
beforeEach(() => {
  now += 2 * DAY;
  log.length = 0;
});
afterAll(() => server.close());

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const post = (route: string, body: unknown, ip: string, to = server) => to.post(`/auth/${route}/`, body, from(ip));
const unknownEmail = () => `${randomUUID()}@example.com`;
const codeOf = async (response: Response) => `${response.status} ${(await response.json()).code}`;
const guessCode = async (email: string, recoveryCode: string, ip: string, to = server) =>
  codeOf(await post('verify-recovery-code', { email, recoveryCode }, ip, to));

async function mailedCode(email: string, ip = '192.0.2.1'): Promise<string> {
  expect((await post('forgot-password', { email }, ip)).status).toBe(200);
  return server.mail(email);
}

const linkTo = async (email: string) =>
  (await lettersTo(server.dataDir, email))[0]?.text.match(/^https?:\S+(\/api\/auth\/reset-link\/\S+)$/m)?.[1] ?? '';
const resetByLink = async (email: string, newPassword: string, ip: string) =>
  fetch(server.url + (await linkTo(email)), { method: 'POST', body: new URLSearchParams({ newPassword }), headers: from(ip) });

const networkUses = (kind: GuessKind, ip: string) => Object.values(networksOf(ip)).map((network) => guessUses.network(kind, network));

/** Adds wrong guesses of other users. */
async function spend(kind: GuessKind, ip: string | null, count: number): Promise<void> {
  const budgets = createBudgets({ db: server.db, clock: () => now });
  const uses = ip === null ? guessUses.service(kind) : networkUses(kind, ip);
  for (const { key, span } of uses) await budgets.take(key, { max: 1, span }, count);
}

const audited = (event: string) => log.map((line) => JSON.parse(line)).filter(({ audit }) => audit === event);
const warned = () => log.map((line) => JSON.parse(line)).filter(({ guesses }) => guesses !== undefined);

test('a sign-in that is refused because too many wait says when to retry, and is no guess', async () => {
  const [day] = guessUses.service('password');
  const counted = () => createBudgets({ db: server.db, clock: () => now }).used(day.key, day.span);
  const signIn = () => post('login', { email: unknownEmail(), password: WRONG }, '9.9.9.9');
  let isOver = false;
  const checkOverAndOver = async () => {
    while (!isOver) await passwordMatches(WRONG, 'not a hash').catch(() => undefined);
  };
  // One runs for each core but one, and 200 wait.
  const checks = Array.from({ length: Math.max(1, availableParallelism() - 1) + 200 }, checkOverAndOver);
  const refused = await signIn();
  isOver = true;
  await Promise.all(checks);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await codeOf(refused)).toBe('503 busy');
  expect(await counted()).toBe(0);
  expect(await codeOf(await signIn())).toBe('400 invalid_credentials');
  expect(await counted()).toBe(1);
});

describe('codes guessed over many accounts from one IPv6 /64', () => {
  test('end after 30 tries a day, while other networks and the mailed link go on', async () => {
    const { user } = await server.signUp();
    const code = await mailedCode(user.email);
    const answers: string[] = [];
    for (let number = 0; number < 40; number++) answers.push(await guessCode(unknownEmail(), '1234', `2001:db8:7:7::${number + 1}`));
    expect(answers.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => '400 code_expired'));
    expect(answers.slice(30)).toEqual(Array.from({ length: 10 }, () => '400 code_link_only'));
    // The right code is refused too, so the attacker learns nothing.
    expect(await guessCode(user.email, code, '2001:db8:7:7::ffff')).toBe('400 code_link_only');
    expect((await post('verify-recovery-code', { email: user.email, recoveryCode: code }, '2001:db8:7:8::1')).status).toBe(200);
    expect((await resetByLink(user.email, WRONG, '2001:db8:7:7::ffff')).status).toBe(200);
  });

  test('end after 150 tries a day for its whole /48', async () => {
    const answers: string[] = [];
    for (let number = 0; number < 160; number++) {
      answers.push(await guessCode(unknownEmail(), '1234', `2001:db8:8:${(number % 10) + 1}::${number + 1}`));
    }
    expect(answers.filter((answer) => answer === '400 code_expired')).toHaveLength(150);
    expect(answers.slice(150).every((answer) => answer === '400 code_link_only')).toBe(true);
    expect(await guessCode(unknownEmail(), '1234', '2001:db8:9::1')).toBe('400 code_expired');
    // Further networks of it store no rows.
    const rows = await server.db.$count(budgetRows);
    for (let number = 0; number < 5; number++) await guessCode(unknownEmail(), '1234', `2001:db8:8:ff${number}::1`);
    expect(await server.db.$count(budgetRows)).toBe(rows);
    expect(audited('code-budget-spent')).toEqual([
      expect.objectContaining({ network: '2001:db8:8::/48', about: 'reset-code, neighborhood' }),
    ]);
  });

  test('do not spend the guesses of the neighbors', async () => {
    for (let tries = 0; tries < 45; tries++) await guessCode(unknownEmail(), '1234', '203.0.116.1');
    const [, wide] = networkUses('reset-code', '203.0.116.1');
    expect(await createBudgets({ db: server.db, clock: () => now }).used(wide?.key ?? '', DAY)).toBe(30);
    expect(await guessCode(unknownEmail(), '1234', '203.0.116.2')).toBe('400 code_expired');
  });

  test('each count, also when 20 arrive at once at one code', async () => {
    const email = unknownEmail();
    const registration = { first_name: 'Ada', last_name: 'Lovelace', email, country: '', password: PASSWORD };
    await post('register', registration, '192.0.2.2');
    const code = await server.mail(email);
    const guess = (recoveryCode: string) => post('verify-otp', { email, recoveryCode }, '2001:db8:a::1');
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(otherThan(code)).then(codeOf)));
    expect(answers.filter((answer) => answer === '400 code_wrong')).toHaveLength(4);
    const [day] = networkUses('verify-code', '2001:db8:a::1');
    expect(await createBudgets({ db: server.db, clock: () => now }).used(day?.key ?? '', DAY)).toBe(20);
    expect(await codeOf(await guess(code))).toBe('400 code_locked');
  });

  test('stay counted when the clock is set back, and a wrong clock blocks no day but its own', async () => {
    await spend('reset-code', '2001:db8:b::1', 30);
    now -= HOUR;
    expect(await guessCode(unknownEmail(), '1234', '2001:db8:b::1')).toBe('400 code_link_only');
    now -= DAY;
    expect(await guessCode(unknownEmail(), '1234', '2001:db8:b::1')).toBe('400 code_expired');
    now += DAY;
  });
});

describe('the budget of the whole service', () => {
  const { service } = GUESS_LIMITS['reset-code'];

  test('refuses networks with wrong guesses after half of the limit, and all networks at the limit; the link always works', async () => {
    const [ada, bob] = [await server.signUp(), await server.signUp()];
    const [codeOfAda, codeOfBob] = [await mailedCode(ada.user.email), await mailedCode(bob.user.email)];
    await guessCode(unknownEmail(), '1234', '203.0.113.1');
    await spend('reset-code', null, service);
    expect(await guessCode(ada.user.email, codeOfAda, '203.0.113.1')).toBe('400 code_link_only');
    // Refused guesses do not count against the limit of all networks.
    for (let tries = 0; tries < 20; tries++) await guessCode(unknownEmail(), '1234', '203.0.113.1');
    expect((await post('verify-recovery-code', { email: ada.user.email, recoveryCode: codeOfAda }, '198.51.100.1')).status).toBe(200);

    await spend('reset-code', null, service);
    expect(await guessCode(bob.user.email, codeOfBob, '198.51.100.2')).toBe('400 code_link_only');
    expect((await resetByLink(bob.user.email, WRONG, '198.51.100.2')).status).toBe(200);
    expect((await post('login', { email: bob.user.email, password: WRONG }, '198.51.100.2')).status).toBe(200);
  });

  test('warns in the log when half and when all of it is used, once a day, and shows in the metrics', async () => {
    await spend('reset-code', null, service / 2 - 1);
    for (let number = 1; number <= 3; number++) await guessCode(unknownEmail(), '1234', `10.1.${number}.1`);
    await spend('reset-code', null, service / 2 - 3);
    for (let number = 4; number <= 6; number++) await guessCode(unknownEmail(), '1234', `10.1.${number}.1`);
    expect(warned().map(({ level, guesses, percent }) => [level, guesses, percent])).toEqual([
      [40, 'reset-code', 50],
      [40, 'reset-code', 100],
    ]);
    for (let number = 1; number <= 5; number++) await guessCode(unknownEmail(), '1234', '10.1.1.9');
    const outcome = await sendCommand(server.dataDir, { command: 'metrics' });
    const [metrics] = outcome && 'rows' in outcome ? outcome.rows : [];
    expect(metrics?.wrong_guesses).toMatchObject({ 'reset-code': { today: service + 3, this_hour: service + 3, spent: 'half' } });
    expect(metrics?.most_active_networks).toEqual(expect.arrayContaining([{ network: '10.1.1.0/24', wrong: 6 }]));
    expect(JSON.stringify(metrics)).not.toContain('10.1.1.1');
  });
});

describe('wrong passwords', () => {
  const signIn = (email: string, password: string, ip: string) => post('login', { email, password }, ip);

  test('end a network’s tries at accounts that never signed in there; a mail lets their owners in', async () => {
    const [known, other] = [await server.signUp(), await server.signUp()];
    const ip = '203.0.113.50';
    expect((await signIn(known.user.email, PASSWORD, ip)).status).toBe(200);
    await spend('password', ip, GUESS_LIMITS.password.narrow - 1);
    expect((await signIn(unknownEmail(), WRONG, ip)).status).toBe(400);
    const refused = await signIn(unknownEmail(), WRONG, ip);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ message: expect.stringContaining('Forgot Password') }),
    ]);
    expect((await signIn(other.user.email, PASSWORD, ip)).status).toBe(429);
    expect((await signIn(other.user.email, PASSWORD, '203.0.114.1')).status).toBe(200);
    expect((await signIn(known.user.email, PASSWORD, ip)).status).toBe(200);

    const third = await server.signUp();
    expect((await signIn(third.user.email, PASSWORD, ip)).status).toBe(429);
    await mailedCode(third.user.email, ip);
    expect((await resetByLink(third.user.email, 'Fresh-1234', ip)).status).toBe(200);
    expect((await signIn(third.user.email, 'Fresh-1234', ip)).status).toBe(200);
  });

  test('right ones are not counted', async () => {
    const { user } = await server.signUp();
    for (let visit = 0; visit < 5; visit++) expect((await signIn(user.email, PASSWORD, '203.0.115.1')).status).toBe(200);
    const budgets = createBudgets({ db: server.db, clock: () => now });
    for (const { key } of networkUses('password', '203.0.115.1')) expect(await budgets.used(key, DAY)).toBe(0);
    expect(await budgets.used(guessUses.service('password')[0].key, DAY)).toBe(0);
  });
});

test('sign-ins, refusals, sign-ups and resets are audited with the network’s prefix, and without secrets', async () => {
  const ip = '2001:db8:c:1::beef';
  const prefix = '2001:db8:c::/48';
  const email = unknownEmail();
  const registered = await post('register', { first_name: 'Ada', last_name: 'Lovelace', email, country: '', password: PASSWORD }, ip);
  const [{ id: userId }] = (await registered.json()).data;
  const signUpCode = await server.mail(email);
  await post('verify-otp', { email, recoveryCode: otherThan(signUpCode) }, ip);
  await post('verify-otp', { email, recoveryCode: signUpCode }, ip);
  await post('login', { email, password: WRONG }, ip);
  const { refreshToken } = (await (await post('login', { email, password: PASSWORD }, ip)).json()).data;
  const second = (await (await post('refresh-token', { refreshToken }, ip)).json()).data.refreshToken;
  await post('refresh-token', { refreshToken: second }, ip);
  expect((await post('refresh-token', { refreshToken }, ip)).status).toBe(403);
  await mailedCode(email, ip);
  const link = await linkTo(email);
  expect((await resetByLink(email, 'Fresh-1234', ip)).status).toBe(200);

  expect(audited('registration')).toEqual([
    expect.objectContaining({ userId, network: prefix }),
    expect.objectContaining({ userId, network: prefix, about: 'verified by code' }),
  ]);
  expect(audited('code-refused')).toEqual([expect.objectContaining({ network: prefix, about: 'verify-email, wrong' })]);
  expect(audited('sign-in-refused')).toEqual([expect.objectContaining({ userId, network: prefix, about: 'wrong password' })]);
  expect(audited('sign-in')).toEqual([expect.objectContaining({ userId, network: prefix })]);
  expect(audited('session-reused')).toEqual([expect.objectContaining({ userId })]);
  expect(audited('password-reset')).toEqual([expect.objectContaining({ userId, network: prefix, about: 'by link' })]);
  expect(audited('password-changed')).toEqual([expect.objectContaining({ userId })]);
  const lines = log.join('');
  for (const secret of [ip, ':beef', email, PASSWORD, WRONG, 'Fresh-1234', refreshToken, link]) expect(lines).not.toContain(secret);
});

test('a guess takes about as long for an address without an account', async () => {
  const { user } = await server.signUp();
  const stranger = unknownEmail();
  for (const email of [user.email, stranger]) await post('forgot-password', { email }, '192.0.2.4');
  await server.settled();
  const ways = {
    password: (email: string, ip: string) => post('login', { email, password: WRONG }, ip),
    code: (email: string, ip: string) => post('verify-recovery-code', { email, recoveryCode: '1234' }, ip),
  };
  for (const guess of Object.values(ways)) {
    const times: [known: number[], unknown: number[]] = [[], []];
    for (let round = 1; round <= 9; round++) {
      for (const [at, email] of [user.email, stranger].entries()) {
        const began = performance.now();
        await guess(email, `10.4.${round}.${at + 1}`);
        times[at]?.push(performance.now() - began);
      }
    }
    // The fastest, because a busy machine only adds to a time.
    const [known, unknown] = times.map((measured) => Math.min(...measured));
    // Wide bounds for a busy machine. Without the password hash, the answer comes in a tenth of the time.
    expect((unknown ?? 0) / (known ?? 1)).toBeGreaterThan(0.25);
    expect((unknown ?? 0) / (known ?? 1)).toBeLessThan(4);
  }
});

describe('two processes on one PostgreSQL', () => {
  let postgres: Postgres | undefined;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    if (!postgres) return;
    const env = { DATABASE_URL: postgres.url, SECRETS_KEY: 's'.repeat(40), JWT_SECRET: 'j'.repeat(40), TRUST_PROXY: 'on' };
    for (let count = 0; count < 2; count++) servers.push(await startServer({ clock: () => now, env }));
  });
  afterAll(async () => {
    for (const process of servers) await process.close();
    await postgres?.stop();
  });

  test('share the budgets of networks, with guesses at once at both', async ({ skip }) => {
    if (servers.length < 2) return skip();
    // Windows are hours of the database's clock: this one must not end while the test counts.
    await stayWithin(HOUR, 15 * SECOND);
    const guess = (number: number) => guessCode(unknownEmail(), '1234', `2001:db8:d:d::${number + 1}`, servers[number % 2]);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => guess(number)));
    expect(answers.filter((answer) => answer === '400 code_expired')).toHaveLength(30);
    expect(answers.filter((answer) => answer === '400 code_link_only')).toHaveLength(20);
    // The clocks of these processes are not the database's.
    for (const { dataDir } of servers) {
      const outcome = await sendCommand(dataDir, { command: 'metrics' });
      const [metrics] = outcome && 'rows' in outcome ? outcome.rows : [];
      expect(metrics).toMatchObject({
        wrong_guesses: { 'reset-code': { today: 30, this_hour: 30 } },
        most_active_networks: [{ network: '2001:db8:d::/48', wrong: 30 }],
      });
    }
  });

  test('count tries at one code one after the other, at both', async ({ skip }) => {
    const [one, other] = servers;
    if (!one || !other) return skip();
    const email = unknownEmail();
    await post('register', { first_name: 'Ada', last_name: 'Lovelace', email, country: '', password: PASSWORD }, '192.0.2.3', one);
    const code = await one.mail(email);
    const verify = (recoveryCode: string, number: number) =>
      post('verify-otp', { email, recoveryCode }, `10.2.${number}.1`, number % 2 ? one : other);
    const wrong = await Promise.all(Array.from({ length: 4 }, (_, number) => verify(otherThan(code), number).then(codeOf)));
    expect(wrong).toEqual(Array.from({ length: 4 }, () => '400 code_wrong'));
    const right = await Promise.all(Array.from({ length: 4 }, (_, number) => verify(code, number + 4)));
    expect(right.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });
});
