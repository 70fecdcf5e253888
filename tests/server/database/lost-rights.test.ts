import { Writable } from 'node:stream';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer } from '#tests/support/server/server.ts';

let admin: pg.Client;
let url: URL;
onPostgres(
  async (postgres) => {
    const main = new pg.Client({ connectionString: postgres.url });
    await main.connect();
    await main.query('create role clerk login');
    await main.query('create database office owner clerk');
    await main.end();
    url = Object.assign(new URL(postgres.url), { pathname: '/office' });
    admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
  },
  async () => admin?.end(),
);

test('a server whose role lost a right answers 503 and names the right in its log, until the role has it again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // work after responses reports it too
  const said: string[] = [];
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      said.push(JSON.parse(String(chunk)).msg);
      done();
    },
  });
  const own = Object.assign(new URL(url), { username: 'clerk' }).href;
  const server = await startServer({ env: { ...sharedEnv(own), LOG_LEVEL: 'warn' }, logTo });
  onTestFinished(() => server.close());
  const ada = await server.signUp();
  const read = () => fetch(`${server.url}/api/auth/user/${ada.user.id}/`, { headers: { authorization: ada.authorization } });

  await admin.query('alter table users owner to tidemark');
  const refused = await read();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('3');
  expect(await refused.json()).toMatchObject({ code: 'database_away' });
  expect(said).toContain('permission denied for table users');

  await admin.query('alter table users owner to clerk');
  expect((await read()).status).toBe(200);
});
