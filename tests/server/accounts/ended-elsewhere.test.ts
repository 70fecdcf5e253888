import { afterAll, beforeAll, expect, test } from 'vitest';
import { users } from '#server/db/schema/users.ts';
import { type Postgres, startPostgres } from '#tests/support/processes/postgres.ts';
import { connect, gone, questionOf, send } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let postgres: Postgres | undefined;
const servers: TestServer[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  if (!postgres) return;
  const env = { DATABASE_URL: postgres.url, JWT_SECRET: 'j'.repeat(32), SECRETS_KEY: 's'.repeat(32) };
  servers.push(await startServer({ env }), await startServer({ env }));
}, 180_000);

afterAll(async () => {
  for (const server of servers) await server.close();
  await postgres?.stop();
});

test('signing out at one process ends the socket at the other, and no other socket', async ({ skip }) => {
  const [here, there] = servers;
  if (!here || !there) return skip('PostgreSQL is not installed.');
  const [ada, bob] = [await here.signUp(), await here.signUp()];
  const socket = await connect(there.url, ada.tokens.accessToken);
  const other = await connect(there.url, bob.tokens.accessToken);
  const left = gone(socket);
  const signedOutAt = Date.now();
  const answer = await here.post('/auth/logout/', { refreshToken: ada.tokens.refreshToken }, { authorization: ada.authorization });
  expect(answer.status).toBe(200);
  expect(await left).toBe('io server disconnect');
  expect(Date.now() - signedOutAt).toBeLessThan(10_000);
  await expect(connect(there.url, ada.tokens.accessToken)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
  expect(await send(other, questionOf(bob.user.id))).toHaveProperty('chat');
  other.disconnect();
});

test('so does the end of an account', async ({ skip }) => {
  const [here, there] = servers;
  if (!here || !there) return skip('PostgreSQL is not installed.');
  const ada = await here.signUp();
  const left = gone(await connect(there.url, ada.tokens.accessToken));
  await here.db.delete(users);
  expect(await left).toBe('io server disconnect');
});
