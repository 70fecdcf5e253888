import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registerAnswer } from '#contract/account/account.ts';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { DAY, MINUTE } from '#domain/clock.ts';
import { openDb } from '#server/db/open.ts';
import { registrations, users } from '#server/db/schema/users.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { copyDatabase } from '#tests/support/server/empty-database.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
let now = NOON;
let server: TestServer;
let email: string;

beforeAll(async () => {
  server = await startServer({ clock: () => now, env: { TRUST_PROXY: 'on' } });
});
beforeEach(() => {
  now += 8 * DAY;
  email = `${randomUUID()}@example.com`;
});
afterAll(() => server.close());

const post = (route: string, body: unknown, ip: string) => server.post(`/auth/${route}/`, body, { 'x-forwarded-for': ip });
const codeOf = async (response: Response) => `${response.status} ${(await response.json()).code ?? ''}`;

interface SignUp {
  ip: string;
  password: string;
  name: string;
}
const VICTIM: SignUp = { ip: '192.0.2.1', password: 'Victim-1', name: 'Vera' };
const ATTACKER: SignUp = { ip: '198.51.100.1', password: 'Attack-1', name: 'Vera' };

/** Signs up and returns the code and the link of the mail. */
async function signUp({ ip, password, name }: SignUp) {
  const answer = await post('register', { first_name: name, last_name: 'Lund', email, country: '', password }, ip);
  expect(answer.status).toBe(201);
  const id = registerAnswer.parse(await answer.json()).data[0]?.id ?? '';
  const code = await server.mail(email);
  const letters = await lettersTo(server.dataDir, email);
  const text = letters.find((letter) => letter.text.split('\n').includes(code))?.text ?? '';
  return { id, code, link: text.match(/^https?:\S+?(\/api\S+)$/m)?.[1] ?? '' };
}

const verify = (recoveryCode: string, ip: string, registration?: string) => post('verify-otp', { email, recoveryCode, registration }, ip);
const login = ({ password, ip }: SignUp) => post('login', { email, password }, ip);

describe('two sign-ups of one address', () => {
  test('the code of the first one verifies its own password and names, though another came later', async () => {
    const victim = await signUp(VICTIM);
    const attacker = await signUp({ ...ATTACKER, name: 'Mallory' });
    expect((await verify(victim.code, VICTIM.ip)).status).toBe(200);
    expect(await codeOf(await login(ATTACKER))).toBe('400 invalid_credentials');
    const { accessToken } = tokensAnswer.parse(await (await login(VICTIM)).json()).data;
    expect(decodeJwt(accessToken)).toMatchObject({ sub: victim.id, first_name: 'Vera' });
    // The other sign-up is gone, with its code and link.
    expect(await codeOf(await verify(attacker.code, ATTACKER.ip))).toBe('400 code_expired');
    expect((await fetch(server.url + attacker.link, { method: 'POST' })).status).toBe(404);
  });

  test('the code of the later one verifies the later one', async () => {
    const attacker = await signUp(ATTACKER);
    const victim = await signUp(VICTIM);
    expect((await verify(victim.code, VICTIM.ip)).status).toBe(200);
    expect((await login(VICTIM)).status).toBe(200);
    expect((await login(ATTACKER)).status).toBe(400);
    expect(attacker.code).not.toBe(victim.code);
  });

  test('a device that names its own sign-up verifies no other one, whichever code is typed', async () => {
    const victim = await signUp(VICTIM);
    const attacker = await signUp(ATTACKER);
    expect(await codeOf(await verify(attacker.code, VICTIM.ip, victim.id))).toBe('400 code_wrong');
    expect((await verify(victim.code, VICTIM.ip, victim.id)).status).toBe(200);
    expect((await login(VICTIM)).status).toBe(200);
  });

  test('verified at once: one becomes the account', async () => {
    const [victim, attacker] = [await signUp(VICTIM), await signUp(ATTACKER)];
    const answers = await Promise.all([verify(victim.code, VICTIM.ip), verify(attacker.code, ATTACKER.ip)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const logins = await Promise.all([login(VICTIM), login(ATTACKER)]);
    expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
  });

  test('each wait with their own password until then', async () => {
    await signUp(VICTIM);
    await signUp(ATTACKER);
    for (const who of [VICTIM, ATTACKER]) expect(await codeOf(await login(who))).toBe('400 not_verified');
    expect(await codeOf(await login({ ...VICTIM, password: 'Neither-1' }))).toBe('400 invalid_credentials');
  });

  test('are listed in the mail requested without an id, and only one is mailed when it is named', async () => {
    const victim = await signUp(VICTIM);
    now += MINUTE;
    await signUp({ ...ATTACKER, name: 'Mallory' });
    await post('resend-verification-code', { email }, VICTIM.ip);
    await server.settled();
    const [both] = await lettersTo(server.dataDir, email);
    const at = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    expect(both?.text).toContain(`Sign-up of Vera Lund, ${at(now - MINUTE)}:`);
    expect(both?.text).toContain(`Sign-up of Mallory Lund, ${at(now)}:`);
    expect(new Set(both?.text.match(/^\d{4}$/gm)).size).toBe(2);

    now += MINUTE;
    await post('resend-verification-code', { email, registration: victim.id }, VICTIM.ip);
    await server.settled();
    const [own] = await lettersTo(server.dataDir, email);
    expect(own?.text).toContain('Hello Vera,');
    const [code = '', ...more] = own?.text.match(/^\d{4}$/gm) ?? [];
    expect(more).toEqual([]);
    expect((await verify(code, VICTIM.ip)).status).toBe(200);
    expect((await login(VICTIM)).status).toBe(200);
  });

  test('are verified by link each for itself, once, and only when the form is sent', async () => {
    const [victim, attacker] = [await signUp(VICTIM), await signUp(ATTACKER)];
    const page = await fetch(server.url + victim.link);
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect(await page.text()).toContain('Did you sign up as Vera Lund on');
    expect(await codeOf(await login(VICTIM))).toBe('400 not_verified');
    const clicks = await Promise.all([victim.link, victim.link, attacker.link].map((link) => fetch(server.url + link, { method: 'POST' })));
    expect(clicks.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect((await login(VICTIM)).status).toBe(200);
  });
});

describe('sign-ups that wait', () => {
  const waiting = () => server.db.$count(registrations, sql`${registrations.email} = ${email}`);

  test('are two of one network and five in all for one address; a network pushes out its own', async () => {
    const victim = await signUp(VICTIM);
    for (let count = 0; count < 4; count++) await signUp(ATTACKER);
    expect(await waiting()).toBe(3);
    expect((await verify(victim.code, VICTIM.ip)).status).toBe(200);
    expect(await waiting()).toBe(0);
  });

  test('make room for a newer one when five networks hold an address', async () => {
    for (let network = 1; network <= 6; network++) await signUp({ ...ATTACKER, ip: `10.3.${network}.1` });
    expect(await waiting()).toBe(5);
    const victim = await signUp(VICTIM);
    expect(await waiting()).toBe(5);
    expect((await verify(victim.code, VICTIM.ip)).status).toBe(200);
  });
});

test('unverified accounts of an earlier version become pending sign-ups', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-upgrade-'));
  copyDatabase(dataDir);
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  try {
    const row = (name: string, verifiedAt: Date | null) => ({
      email: `${name}@example.com`,
      firstName: name,
      lastName: 'X',
      passwordHash: name,
      verifiedAt,
    });
    await db.insert(users).values([row('verified', new Date(NOON)), row('waiting', null)]);
    const folder = new URL('../../../src/server/db/migrations/', import.meta.url);
    const file = fs.readdirSync(folder).find((name) => name.endsWith('_registrations_and_links.sql')) ?? '';
    const steps = fs.readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint');
    for (const step of steps.filter((text) => /(INSERT INTO "registrations"|DELETE FROM)/.test(text))) await db.execute(sql.raw(step));
    expect((await db.select().from(users)).map(({ firstName }) => firstName)).toEqual(['verified']);
    expect(await db.select().from(registrations)).toEqual([
      expect.objectContaining({ email: 'waiting@example.com', firstName: 'waiting', passwordHash: 'waiting', network: null }),
    ]);
  } finally {
    await close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
});
