import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { bigUser } from '#tests/support/accounts/big-export.ts';
import { startServer } from '#tests/support/server/server.ts';

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
