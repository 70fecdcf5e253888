import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, next, questionOf, send } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** What PostgreSQL says when a table cannot grow. */
const FULL = 'could not extend file "base/5/16384": No space left on device';

let admin: pg.Client;
let server: TestServer;
let ada: SignedUp;
const analyst = scriptedAnalyst();
const said: string[] = [];

onPostgres(
  async ({ url }) => {
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const logTo = { write: (line: string) => void said.push(JSON.parse(line).msg) };
    server = await startServer({ env: { ...sharedEnv(url), LOG_LEVEL: 'warn' }, analyst, logTo });
    ada = await server.signUp();
    await admin.query(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception using errcode = 'disk_full', message = '${FULL}'; end $$`);
  },
  async () => {
    await server?.close();
    await admin?.end();
  },
);

/** Lets no row of the app be inserted or changed, as on a full disk, until the returned function is called. */
async function fillDisk(): Promise<() => Promise<void>> {
  const { rows } = await admin.query(`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`);
  const each = (statement: (name: string) => string) => admin.query(rows.map(({ name }) => statement(name)).join('; '));
  await each((name) => `create trigger full_disk before insert or update on ${name} for each statement execute function refuse()`);
  return async () => void (await each((name) => `drop trigger if exists full_disk on ${name}`));
}

const watch = () => {
  const body = { userId: ada.user.id, cryptoId: 1, cryptoSymbol: 'BTC', cryptoName: 'Bitcoin', actionType: 1 };
  return server.post('/watchlist', body, { authorization: ada.authorization });
};

test('while the disk of PostgreSQL is full, changes get 503 and the log says so, reads go on, and an answer waits for room', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // work after responses reports it too
  const gate = createGate();
  analyst.respond = async () => {
    await gate.passed;
    return 'The tide is high.';
  };
  const socket = await connect(server.url, ada.tokens.accessToken);
  onTestFinished(() => void socket.disconnect());
  const answer = next(socket, 'chat_response', ({ chat_status }) => chat_status === 'ai-responce');
  await send(socket, questionOf(ada.user.id));
  await vi.waitFor(() => expect(analyst.asked).toHaveLength(1));
  const makeRoom = await fillDisk();
  gate.open();

  const refused = await watch();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3']);
  expect(await refused.json()).toMatchObject({ code: 'database_away' });
  expect(said).toContain(FULL);
  expect(await send(socket, questionOf(ada.user.id))).toMatchObject({ error: { code: 'database_away' } });
  const read = await fetch(`${server.url}/api/auth/user/${ada.user.id}/`, { headers: { authorization: ada.authorization } });
  expect(read.status).toBe(200);

  await makeRoom();
  expect((await answer).chat).toMatchObject({ ai_response: 'The tide is high.', failed: false });
  expect((await watch()).status).toBe(200);
});
