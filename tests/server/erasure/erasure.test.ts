import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { createAudit } from '#server/audit.ts';
import { createUserBlobs } from '#server/blobs/user-blobs.ts';
import { createBudgets } from '#server/budgets.ts';
import { userBlobs } from '#server/db/schema/blobs.ts';
import { bots } from '#server/db/schema/bots.ts';
import { createSessions } from '#server/modules/accounts/sessions/sessions.ts';
import { type Erasure, erase as eraseUser } from '#server/operator/erasure/erase.ts';
import { sendCommand } from '#server/operator/send-command.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { deleteMailTo } from '#server/ports/mail/delete-mail.ts';
import { openMail } from '#server/ports/mail/open-mail.ts';
import { createFullUser, type FullUser } from '#tests/support/accounts/full-user.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { quietExchange } from '#tests/support/bots/quiet-exchange.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { cutAt } from '#tests/support/server/cut-at.ts';
import { createLog, filesBelow } from '#tests/support/server/leaks.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const SLOW = 240_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
const log = createLog();
let isDown = false;
let side = 10;

beforeAll(async () => {
  server = await startServer({
    env: { LOG_LEVEL: 'info' },
    logTo: log,
    exchangeOn: (db) => {
      const exchange = quietExchange(db);
      return {
        ...exchange,
        account(keys, owner) {
          if (isDown) throw new ExchangeError('unavailable', 'the exchange is down');
          return exchange.account(keys, owner);
        },
      };
    },
  });
}, SLOW);
afterAll(() => server?.close());

async function fullUser(): Promise<FullUser> {
  side += 5;
  const user = await createFullUser(server, side);
  await vi.waitFor(async () => expect(await statusOf(user)).toBe('RUNNING'), { timeout: 60_000 });
  return user;
}

const statusOf = async ({ botId }: FullUser) => (await server.db.select().from(bots).where(eq(bots.id, botId)))[0]?.status;
const ask = (user: string) => sendCommand(server.dataDir, { command: 'erase', user });

async function erase(user: FullUser): Promise<Erasure> {
  const outcome = await ask(user.id);
  if (!outcome || 'error' in outcome) throw new Error(outcome?.error ?? 'no server');
  return outcome.rows[0] as unknown as Erasure;
}

/** Returns every database row that contains one of these texts, by table. */
async function rowsWith(texts: readonly string[]): Promise<Record<string, string[]>> {
  const list = `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'boss')`;
  const { rows: tables } = (await server.db.execute(sql.raw(list))) as unknown as { rows: { name: string }[] };
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = (await server.db.execute(sql.raw(`select t::text as row from ${name} as t`))) as unknown as {
      rows: { row: string }[];
    };
    const hits = rows.map(({ row }) => row).filter((row) => texts.some((text) => row.includes(text)));
    if (hits.length > 0) found[name] = hits.sort();
  }
  return found;
}

/** The market's next update can arm the watch of an alert, so only their number stays the same. */
const withoutChecks = ({ 'public.alert_watches': watches = [], ...rows }: Record<string, string[]>) => ({
  ...rows,
  watches: watches.length,
});

const traces = (user: FullUser) => rowsWith([user.id, user.user.email, user.appUserId, user.botId, user.archiveId]);
/** Waits until no bot job is queued or active, because a running job changes rows. */
const jobsDone = () =>
  expect
    .poll(async () => {
      const { rows } = (await server.db.execute(sql`select id from boss.job where state < 'completed'`)) as unknown as { rows: unknown[] };
      return rows;
    })
    .toEqual([]);
const blobFiles = () =>
  filesBelow(path.join(server.dataDir, 'blobs'))
    .map((file) => path.basename(file))
    .sort();
const hashesOf = async ({ id }: FullUser) =>
  (await server.db.select().from(userBlobs).where(eq(userBlobs.userId, id))).map(({ hash }) => hash ?? '').sort();

describe('erasing a user', () => {
  test('deletes all rows, blobs and mail of the user, and changes nothing of other users', { timeout: SLOW }, async () => {
    const gone = await fullUser();
    const stays = await fullUser();
    const stopped = await botCaller(server, stays)('POST', `/trading-bots/${stays.botId}/stop`, {});
    expect(stopped.status).toBe(200);
    await vi.waitFor(async () => expect(await statusOf(stays)).toBe('STOPPED'), { timeout: 60_000 });
    await jobsDone();
    const before = await traces(stays);
    // A rate-limit key that ends in this user's address belongs to another user.
    const other = `test x${gone.user.email}`;
    await createBudgets({ db: server.db, clock: Date.now }).take(other, { max: 1, span: HOUR });
    const kept = await hashesOf(stays);
    const own = await hashesOf(gone);
    expect(own.length).toBeGreaterThan(4);
    expect(blobFiles()).toEqual(expect.arrayContaining([...own, ...kept]));
    expect((await lettersTo(server.dataDir, gone.user.email)).length).toBeGreaterThan(1);

    const report = await erase(gone);
    expect(report).toMatchObject({ user: gone.id, email: gone.user.email, bots: { stopped: 1, out_of_reach: 0 }, mailed: true });
    // A table without rows of this user would prove nothing. Refresh tokens were deleted with the session.
    expect(Object.entries(report.rows).filter(([, count]) => count === 0)).toEqual([['refresh_tokens', 0]]);
    expect(report.rows).toMatchObject({ users: 1, bots: 1, chats: 2, contact_messages: 2, contact_files: 2, archives: 1 });
    expect(report.blobs).toBe(new Set(own).size);
    expect(await traces(gone)).toEqual({ 'public.budgets': [expect.stringContaining(other)] });
    expect(blobFiles().filter((name) => own.includes(name))).toEqual([]);
    const letters = await lettersTo(server.dataDir, gone.user.email);
    expect(letters.map(({ subject }) => subject)).toEqual([`Your ${PRODUCT} account was deleted`]);

    expect(withoutChecks(await traces(stays))).toEqual(withoutChecks(before));
    expect(blobFiles()).toEqual(expect.arrayContaining(kept));
    expect((await stays.chatter.chats(stays.archiveId)).length).toBe(2);
    expect(log.text()).toContain('"audit":"erasure"');
    expect(await ask(gone.id)).toEqual({ error: 'There is no such user.' });
  });

  test('ends sockets and tokens at once, and the address can be registered again', { timeout: SLOW }, async () => {
    const gone = await fullUser();
    const ended = new Promise((resolve) => gone.chatter.socket.once('disconnect', resolve));
    await erase(gone);
    await ended;
    expect((await gone.chatter.call(`/auth/user/${gone.id}/`)).status).toBe(401);
    expect((await server.post('/auth/refresh-token', { refreshToken: gone.tokens.refreshToken })).status).toBe(401);
    const again = await server.signUp({ email: gone.user.email });
    expect(again.user.id).not.toBe(gone.id);
  });

  test('deletes nothing while the exchange is unreachable, and finishes when it is back', { timeout: SLOW }, async () => {
    const user = await fullUser();
    const before = await traces(user);
    isDown = true;
    const refused = await ask(user.id);
    expect(refused).toEqual({
      error: expect.stringMatching(/exchange did not confirm that bot .* is closed\. Nothing was deleted.*Run this again\./),
    });
    const after = await traces(user);
    for (const table of ['public.chats', 'public.bots', 'public.paper_orders', 'public.contact_messages'])
      expect(after[table]?.length, table).toBe(before[table]?.length);
    // The account is closed during the erasure.
    const login = await server.post('/auth/login/', { email: user.user.email, password: user.password });
    expect(await login.json()).toMatchObject({ status: 403, code: 'account_erased' });
    expect((await botCaller(server, user)('POST', '/trading-bots', botBody())).status).toBe(401);
    isDown = false;
    expect(await erase(user)).toMatchObject({ rows: { users: 1 } });
    expect(await traces(user)).toEqual({});
  });

  test('leaves no data of requests that run at the same time', { timeout: SLOW }, async () => {
    const user = await fullUser();
    let isOver = false;
    const statuses = new Set<number>();
    const busy = async (request: () => Promise<Response>) => {
      while (!isOver) statuses.add((await request().catch(() => new Response(null, { status: 599 }))).status);
    };
    const { call } = user.chatter;
    const heart = { actionType: 1, cryptoName: 'Bitcoin', cryptoSymbol: 'BTC', cryptoId: 1, userId: user.id };
    const work = [
      busy(() => server.post('/auth/login/', { email: user.user.email, password: user.password })),
      busy(() => call('/chat/archives', { method: 'POST', body: { id: randomUUID(), userId: user.id } })),
      busy(() => call('/watchlist', { method: 'POST', body: heart })),
      busy(() => server.post('/auth/forgot-password/', { email: user.user.email })),
      busy(() =>
        fetch(`${server.url}/api/v1/trading-bots`, {
          method: 'POST',
          headers: { authorization: user.authorization, 'content-type': 'application/json' },
          body: JSON.stringify(botBody()),
        }),
      ),
    ];
    await erase(user);
    isOver = true;
    await Promise.all(work);
    await server.settled();
    expect(statuses).toContain(401);
    expect(await traces(user)).toEqual({});
  });

  test('continues where a killed run stopped, at any point', { timeout: SLOW }, async () => {
    const user = await fullUser();
    const clock = Date.now;
    const blobs = createUserBlobs({ db: server.db, store: openBlobs(server.config), quota: server.config.userQuota });
    const mail = openMail(server.config, clock);
    const parts = {
      clock,
      mail,
      blobs,
      audit: createAudit({ info: () => undefined }),
      sessions: createSessions({ db: server.db, clock, jwtSecret: server.config.jwtSecret, alone: false }),
      closeAllBots: async () => ({ stopped: 1, out_of_reach: 0 }),
      deleteMail: (email: string) => deleteMailTo(server.dataDir, email),
    };
    let kills = 0;
    for (let result: unknown = 'killed'; result === 'killed'; kills++)
      result = await eraseUser({ ...parts, db: cutAt(server.db, kills) }, user.id).catch(({ message }: Error) => message);
    expect(kills).toBeGreaterThan(30);
    expect(await traces(user)).toEqual({});
    const letters = await lettersTo(server.dataDir, user.user.email);
    expect(letters.map(({ subject }) => subject)).toEqual([`Your ${PRODUCT} account was deleted`]);
  });

  test('refuses an unknown user', async () => {
    expect(await ask(UNKNOWN)).toEqual({ error: 'There is no such user.' });
  });
});
