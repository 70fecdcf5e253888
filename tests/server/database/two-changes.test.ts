import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { API_PREFIX } from '#contract/paths.ts';
import { users } from '#server/db/schema/users.ts';
import { createGate } from '#tests/support/chat/scripted-analyst.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { plausibleBody } from '#tests/support/server/plausible-body.ts';
import { routesOf } from '#tests/support/server/routes.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** Each pair is a chance of a deadlock: half of them had one. A profile may change 30 times in ten minutes. */
const PAIRS = 8;
/** They end the session or the account that the next routes need. */
const ENDS_SESSION = /logout|delete-account|sessions|sign-out|password/;

let server: TestServer;
let ada: SignedUp;
const lines: string[] = [];

onPostgres(
  async ({ url }) => {
    const env = { ...sharedEnv(url), LOG_LEVEL: 'error', TRUST_PROXY: 'on' };
    server = await startServer({ env, logTo: { write: (line) => lines.push(line) } });
    ada = await server.signUp();
  },
  async () => server?.close(),
);

let requests = 0;

/** Sends a change with its own key, from an address of its own: rate limits count by address. */
async function change(method: string, path: string, body: string | FormData): Promise<Response> {
  const headers = { authorization: ada.authorization, 'idempotency-key': randomUUID(), 'x-forwarded-for': `203.0.113.${requests++ % 250}` };
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  return fetch(server.url + path, { method, headers: { ...headers, ...type }, body });
}

test('two changes of one user at once succeed at every route, whatever rows they lock', async () => {
  const failed: string[] = [];
  for (const { method, path } of routesOf(server.app)) {
    if (method === 'GET' || !path.startsWith(API_PREFIX) || ENDS_SESSION.test(path)) continue;
    const real = path.replaceAll(/:\w+/g, ada.user.id);
    const sent = Array.from({ length: 2 }, () => change(method, real, JSON.stringify(plausibleBody(ada.user.id))));
    for (const response of await Promise.all(sent)) {
      const answer = await response.text();
      if (response.status === 500 || answer.includes('database_away')) failed.push(`${method} ${path}: ${answer}`);
    }
  }
  expect(failed, lines.join('')).toEqual([]);
});

function profileForm(firstName: string): FormData {
  const form = new FormData();
  form.set('user_id', ada.user.id);
  form.set('first_name', firstName);
  return form;
}

test('pairs of profile changes all succeed', async () => {
  ada = await server.signUp();
  const path = `${API_PREFIX}/auth/user/${ada.user.id}/`;
  const statuses: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const sent = ['Ada', 'Augusta'].map((name) => change('PATCH', path, profileForm(name)));
    for (const { status } of await Promise.all(sent)) statuses.push(status);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(lines).toEqual([]);
});

test('a transaction that PostgreSQL ends because of another one runs once more', async () => {
  const bob = await server.signUp();
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
