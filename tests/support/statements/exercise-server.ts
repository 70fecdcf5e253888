import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { findNamed } from '#server/blobs/user-blobs.ts';
import { isAccountInUse } from '#server/bots/store/bots.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import { thinEquity } from '#server/housekeeping/thin-equity.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { createDatabaseFigures } from '#server/metrics/database-figures.ts';
import { claimUnacknowledged } from '#server/modules/contacts/store.ts';
import { findBrowser } from '#server/modules/push/store.ts';
import { findEnded, isHeard, usersOf } from '#server/modules/subscriptions/store.ts';
import { findPaperOrders, listFills } from '#server/ports/exchange/paper/account-store.ts';
import { listWanted, readAnswer } from '#server/ports/market-data/shared/answer-rows.ts';
import { buildCall } from '#tests/attack/calls.ts';
import { createFullUser } from '#tests/support/accounts/full-user.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { chatterOf } from '#tests/support/chat/chatter.ts';
import { customerOf } from '#tests/support/plans/customer.ts';
import { sharedEnv } from '#tests/support/server/on-postgres.ts';
import { routesOf } from '#tests/support/server/routes.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { recordStatements, type Statement } from './record-statements.ts';
import { idFrom } from './sql-pieces.ts';

const idOf = async ({ db }: TestServer, text: string): Promise<string> => {
  const { rows } = (await db.execute(sql.raw(`select ${text} as id`))) as unknown as { rows: { id: string }[] };
  return rows[0]?.id ?? '';
};

/** Signs the user in whom `fillAtScale` gave the most rows. */
async function signIn(server: TestServer, userId: string) {
  const known = await server.signUp();
  const { db } = server;
  const [{ passwordHash = '' } = {}] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, known.user.id));
  const [owner] = await db.update(users).set({ passwordHash }).where(eq(users.id, userId)).returning();
  const { data: tokens } = await (await server.post('/auth/login/', { email: owner?.email, password: known.password })).json();
  const authorization = `Bearer ${tokens.accessToken}`;
  const { data: user } = await (await fetch(`${server.url}/api/auth/user/${userId}`, { headers: { authorization } })).json();
  return { ...known, user, tokens, authorization };
}

/** Calls every route as the user with the most rows, the ones that end the session last. */
async function callAll(server: TestServer, userId: string): Promise<void> {
  const who = await signIn(server, userId);
  await (await customerOf(server, who)).buy('premium_monthly');
  const chatter = await chatterOf(server, who);
  const imageId = await chatter.upload(blackPng(40, 40));
  await chatter.ask({ archive_id: await idOf(server, idFrom(`'archive 1'`)), message: 'What is the price of Bitcoin?' });
  const owned = {
    ...{ userId, imageId, email: who.user.email, appUserId: who.user.userSubscription.appUserId, refreshToken: who.tokens.refreshToken },
    sessionId: randomUUID(),
    archiveId: await idOf(server, idFrom(`'archive 2'`)),
    chatId: await idOf(server, idFrom(`'message 3 1'`)),
    botId: await idOf(server, idFrom(`'bot 1'`)),
    backtestId: randomUUID(),
    alertId: randomUUID(),
    passkeyId: randomUUID(),
    linkId: randomUUID(),
  };
  const isLast = ({ method, path }: { method: string; path: string }) =>
    Number(/logout|reset-password/.test(path)) +
    Number(method === 'DELETE' && !path.endsWith('/sessions')) / 2 +
    Number(path.endsWith('/sessions') && method === 'DELETE');
  const routes = routesOf(server.app)
    .filter(({ path }) => path.startsWith('/api/') && !path.includes('*') && !path.endsWith('page.css'))
    .sort((one, other) => isLast(one) - isLast(other));
  for (const route of routes) {
    const { path, body, method } = buildCall(route, owned);
    const isForm = body instanceof FormData;
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        authorization: who.authorization,
        'idempotency-key': randomUUID(),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    if (answer.status >= 500 && answer.status !== 503) throw new Error(`${method} ${path} answered ${answer.status}`);
  }
  chatter.socket.disconnect();
}

/** Runs what runs by time. */
async function runByTime(db: Db, config: Config): Promise<void> {
  const now = Date.now();
  const report = (error: unknown) => {
    throw error;
  };
  await createDatabaseFigures({ db, config, clock: Date.now, store: 'test', report }).read();
  await findEnded(db, 'test', new Date(now));
  await claimUnacknowledged(db, new Date(now), new Date(now));
  await findNamed(db, ['hash of no picture']);
  // Long ago, so that nothing is deleted: the statements are the same.
  await tidy(db, 0);
  await thinEquity({ db, now, pause: async () => undefined });
}

/** Runs what exchanges, stores, providers of market figures and browsers cause, which the server of a test does not have. */
async function askForOthers(db: Db, botId: string): Promise<void> {
  await listFills(db, [{ botId, since: 0 }]);
  await findPaperOrders(db, [{ botId, clientIds: ['1-1'] }]);
  await listWanted(db);
  await readAnswer(db, 'coin:1', 0);
  await usersOf(db, [randomUUID()]);
  await isHeard(db, 'event');
  await db.transaction(async (tx) => {
    await isAccountInUse(tx, ['digest']);
    await findBrowser(tx, 'https://push.invalid/1');
  });
}

/**
 * Starts a server on a filled PostgreSQL, uses everything of it, and runs what runs by time.
 * @param userId the user with the most rows
 * @returns every kind of statement that the server sent
 */
export async function exerciseServer(databaseUrl: string, userId: string): Promise<Statement[]> {
  const recorder = recordStatements();
  const server = await startServer({ env: { ...sharedEnv(databaseUrl), DRAIN_SECONDS: '0' } });
  try {
    const { db, config } = server;
    const full = await createFullUser(server, 32);
    full.chatter.socket.disconnect();
    await callAll(server, userId);
    await server.settled();
    await runByTime(db, config);
    await askForOthers(db, await idOf(server, idFrom(`'bot 1'`)));
  } finally {
    await server.close();
  }
  return recorder.stop();
}
