import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAfterResponse } from '#server/after-response.ts';
import { bigUser } from '#tests/support/accounts/big-export.ts';
import { startServer } from '#tests/support/server/server.ts';
import { untilClosed } from '#tests/support/server/until-closed.ts';

const portOf = (url: string) => Number(new URL(url).port);

test('a connection that sends nothing, or part of a request, does not keep a server from closing', async () => {
  const server = await startServer();
  const sockets = ['', 'GET / HTTP/1.1\r\nhost: x'].map((text) => {
    const socket = connect(portOf(server.url), '127.0.0.1');
    if (text) socket.write(text);
    return socket.resume();
  });
  const closed = sockets.map((socket) =>
    once(
      socket.on('error', () => undefined),
      'close',
    ),
  );
  // The server has accepted both once it answers a later connection.
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await server.close();
  await Promise.all(closed);
});

test('a client that cancels the body of its export does not keep a server from closing', async () => {
  const server = await startServer();
  const { authorization, user } = await bigUser(server);
  const exported = await fetch(`${server.url}/api/user/${user.id}/export`, { headers: { authorization } });
  expect(exported.status).toBe(200);
  await exported.body?.cancel();
  // The client connects again ahead of its next request.
  await fetch(`${server.url}/healthz`);
  await server.close();
});

test('a mail server that accepts and says nothing does not keep a server from closing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const reported: unknown[] = [];
  const afterResponse = createAfterResponse((error) => reported.push(error), 50);
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'no-reply@example.com' };
  const server = await startServer({ env, afterResponse });
  const { user } = await server.signUp();
  const connected = once(silent, 'connection');
  expect((await server.post('/auth/forgot-password/', { email: user.email })).status).toBe(200);
  const [mailing]: Socket[] = await connected;
  mailing?.resume();
  onTestFinished(() => void mailing?.destroy());
  await server.close();
  // The mail has not failed by its own time limit.
  expect(mailing?.readableEnded).toBe(false);
  expect(reported).toEqual([new Error('the process ends before work after responses does, such as mail: 1 unfinished')]);
});

test('a client whose request comes too slowly does not keep its connection by leaving its own side open', async () => {
  const server = await startServer();
  onTestFinished(server.close);
  server.app.server.headersTimeout = 100;
  const client = connect({ port: portOf(server.url), host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined);
  const closed = untilClosed(client);
  let received = '';
  client.on('data', (chunk) => (received += chunk));
  client.write('GET / HTTP/1.1\r\nhost: x\r\nx-slow: ');
  const dripping = setInterval(() => client.write('x'), 100);
  onTestFinished(() => clearInterval(dripping));
  await closed;
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
});
