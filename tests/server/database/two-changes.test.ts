import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { API_PREFIX } from '#contract/paths.ts';
import { users } from '#server/db/schema/users.ts';
import { routesOfServer } from '#tests/attack/app-routes.ts';
import { buildCall } from '#tests/attack/calls.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { type Receiver, startReceiver } from '#tests/support/notifications/receiver.ts';
import { startTelegram, type TelegramServer, TOKEN } from '#tests/support/notifications/telegram-server.ts';
import { createOwner, type Owner } from '#tests/support/pairs/owner.ts';
import { READY, type Ready, WEBHOOK_SECRET } from '#tests/support/pairs/ready-calls.ts';
import { conflictsDuring } from '#tests/support/pairs/slow-statements.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { type Route, routesOf } from '#tests/support/server/routes.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** A profile may change 30 times in ten minutes. */
const PAIRS = 8;

let server: TestServer;
let receiver: Receiver;
let telegram: TelegramServer;
const lines: string[] = [];
/** Returns the log's lines of statements that failed, also after an answer. */
const failedStatements = () => lines.filter((line) => line.includes('Failed query'));

onPostgres(
  async ({ url }) => {
    [receiver, telegram] = [await startReceiver(), await startTelegram()];
    const channels = { PRIVATE_TARGETS: receiver.url, TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_BASE_URL: telegram.url };
    const env = { ...sharedEnv(url), ...channels, REVENUECAT_WEBHOOK_SECRET: WEBHOOK_SECRET, LOG_LEVEL: 'error', TRUST_PROXY: 'on' };
    server = await startServer({ env, logTo: { write: (line) => lines.push(line) } });
  },
  async () => {
    await server?.close();
    await Promise.all([receiver?.close(), telegram?.close()]);
  },
);

const changing = (routes: Route[]) => routes.filter(({ method, path }) => method !== 'GET' && path.startsWith(API_PREFIX));
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

/** Sends one call of a route with an Idempotency-Key of its own. */
async function send(route: Route, { authorization, owned, address }: Owner, ready: Ready) {
  const built = buildCall(route, owned);
  const { path = built.path, body = built.body, headers = {}, isLocal = false } = ready;
  const isJson = body !== undefined && !(body instanceof FormData || body instanceof URLSearchParams);
  const response = await fetch(server.url + path, {
    method: route.method,
    headers: {
      authorization,
      'idempotency-key': randomUUID(),
      ...(isJson && { 'content-type': 'application/json' }),
      ...(!isLocal && { 'x-forwarded-for': address }),
      ...headers,
    },
    ...(body && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
  });
  return { status: response.status, text: (await response.text()).slice(0, 300) };
}

const routes = changing(await routesOfServer());

describe('two changes of one user at once meet no deadlock, and one or both succeed,', () => {
  test('at every route of the server', () => {
    expect(changing(routesOf(server.app)).map(nameOf).sort()).toEqual(routes.map(nameOf).sort());
    expect(routes.length).toBeGreaterThan(60);
    expect(Object.keys(READY).filter((name) => !routes.map(nameOf).includes(name))).toEqual([]);
  });

  test.each(routes.map((route) => [nameOf(route), route] as const))('at %s', async (name, route) => {
    const owner = await createOwner({ server, receiver: receiver.url });
    const ready = (await READY[name]?.(owner)) ?? {};
    const [one, other] = Array.isArray(ready) ? ready : [ready, ready];
    lines.length = 0;
    let answers: { status: number; text: string }[] = [];
    const conflicts = await conflictsDuring(async () => {
      answers = await Promise.all([send(route, owner, one), send(route, owner, other)]);
      await server.settled();
    });
    const shown = JSON.stringify(answers);
    expect(conflicts, shown).toEqual([]);
    expect(failedStatements(), shown).toEqual([]);
    expect(Math.max(...answers.map(({ status }) => status)), shown).toBeLessThan(500);
    expect(Math.min(...answers.map(({ status }) => status)), shown).toBeLessThan(300);
  });
});

test('pairs of profile changes all succeed', async () => {
  const owner = await createOwner({ server, receiver: receiver.url });
  const change = () => send({ method: 'PATCH', path: `${API_PREFIX}/auth/user/:userId` }, owner, {});
  const statuses: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const { status } of await Promise.all([change(), change()])) statuses.push(status);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(failedStatements()).toEqual([]);
});

test('a transaction that PostgreSQL ends because of another one runs once more', async () => {
  const [ada, bob] = [await server.signUp(), await server.signUp()];
  let firstTries = 0;
  const bothLocked = createGate();
  const lockBoth = (one: SignedUp, other: SignedUp) => {
    let tries = 0;
    return server.db.transaction(async (tx) => {
      const lock = ({ user }: SignedUp) => tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update');
      tries++;
      await lock(one);
      if (tries === 1 && ++firstTries === 2) bothLocked.open();
      await bothLocked.passed;
      await lock(other);
      return tries;
    });
  };
  const tries = await Promise.all([lockBoth(ada, bob), lockBoth(bob, ada)]);
  expect(tries.sort()).toEqual([1, 2]);
});
