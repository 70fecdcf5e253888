import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createConnections, postTo } from '#server/ports/outgoing/post.ts';

const servers: http.Server[] = [];

/** Starts a host that never closes a connection. */
async function startHost(): Promise<URL> {
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    request.resume();
    response.end();
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('hosts that keep their connections open keep none from other hosts', async () => {
  const connections = createConnections(2);
  const request = { headers: {}, body: 'x', signal: new AbortController().signal, isPrivateAllowed: true, connections };
  for (let host = 0; host < 10; host++) expect((await postTo(await startHost(), request)).status).toBe(200);
  connections.close();
});
