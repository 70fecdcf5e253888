import { expect, test, vi } from 'vitest';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { users } from '#server/db/schema/users.ts';
import { bigUser, slowReader } from '#tests/support/accounts/big-export.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, gone, questionOf, send } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const LIMIT = { timeout: 25_000, interval: 100 };
const servers: TestServer[] = [];
/** Carries messages of other processes to the third server. */
let messages: TcpProxy;

onPostgres(
  async ({ url }) => {
    const env = sharedEnv(url);
    servers.push(await startServer({ env }), await startServer({ env }));
    const direct = new URL(url);
    messages = await startTcpProxy({ port: Number(direct.port) });
    direct.port = String(messages.port);
    servers.push(await startServer({ env: { ...env, DATABASE_LISTEN_URL: direct.href } }));
  },
  async () => {
    for (const server of servers) await server.close();
    await messages?.close();
  },
);

test('signing out at one process ends the socket at the other, and no other socket', async () => {
  const [here, there] = servers as [TestServer, TestServer];
  const [ada, bob] = [await here.signUp(), await here.signUp()];
  const socket = await connect(there.url, ada.tokens.accessToken);
  const other = await connect(there.url, bob.tokens.accessToken);
  const left = gone(socket);
  const answer = await here.post('/auth/logout/', { refreshToken: ada.tokens.refreshToken }, { authorization: ada.authorization });
  expect(answer.status).toBe(200);
  expect(await left).toBe('io server disconnect');
  await expect(connect(there.url, ada.tokens.accessToken)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
  expect(await send(other, questionOf(bob.user.id))).toHaveProperty('chat');
  other.disconnect();
});

test('so does the end of an account', async () => {
  const [here, there] = servers as [TestServer, TestServer];
  const ada = await here.signUp();
  const left = gone(await connect(there.url, ada.tokens.accessToken));
  await here.db.delete(users);
  expect(await left).toBe('io server disconnect');
});

test('a process that hears nothing of others refuses the tokens of a session within a second of its end', async () => {
  const [here, , deaf] = servers as [TestServer, TestServer, TestServer];
  const ada = await here.signUp();
  const { authorization } = ada;
  messages.freeze();
  const read = () => fetch(`${deaf.url}/api/auth/user/${ada.user.id}/`, { headers: { authorization } });
  expect((await read()).status).toBe(200);
  expect((await here.post('/auth/logout/', { refreshToken: ada.tokens.refreshToken }, { authorization })).status).toBe(200);
  const endedAt = performance.now();
  // When the last accepted request began: its answer may take longer on a busy machine.
  let acceptedAt = endedAt;
  for (let beganAt = endedAt; (await read()).status === 200; beganAt = performance.now()) acceptedAt = beganAt;
  expect(acceptedAt - endedAt).toBeLessThan(1_000);
  await expect(connect(deaf.url, ada.tokens.accessToken)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
  await messages.heal();
});

test('an export at a process that hears nothing of others ends with its session', async () => {
  const [here, , deaf] = servers as [TestServer, TestServer, TestServer];
  const ada = await bigUser(deaf);
  const download = await slowReader(deaf, ada);
  const login = await here.post('/auth/login/', { email: ada.user.email, password: ada.password });
  const other = tokensAnswer.parse(await login.json()).data.accessToken;
  const exportAgain = () => fetch(`${deaf.url}/api/user/${ada.user.id}/export`, { headers: { authorization: `Bearer ${other}` } });
  expect((await exportAgain()).status).toBe(429);
  messages.freeze();
  const { authorization } = ada;
  expect((await here.post('/auth/logout/', { refreshToken: ada.tokens.refreshToken }, { authorization })).status).toBe(200);
  // A reader that takes nothing keeps its export for a minute, longer than this waits.
  const second = await vi.waitFor(async () => {
    const answer = await exportAgain();
    expect(answer.status).toBe(200);
    return answer;
  }, LIMIT);
  await second.body?.cancel();
  download.destroy();
  await messages.heal();
});
