import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HAPROXY, startHaproxy } from '#tests/support/cluster/haproxy.ts';
import { findProgram } from '#tests/support/processes/find-program.mjs';
import { freePort } from '#tests/support/processes/free-port.ts';

test.skipIf(!findProgram(HAPROXY)).each([
  ['is dropped from another machine', '127.0.0.2', '127.0.0.2'],
  ['is kept from a proxy on this machine', '127.0.0.1', '203.0.113.7, 127.0.0.1'],
])('an address that a caller names to HAProxy %s', async (_what, localAddress, forwarded) => {
  // A web process, for HAProxy.
  const web = createServer(({ headers }, response) => response.end(headers['x-forwarded-for'])).listen(0, '127.0.0.1');
  await once(web, 'listening');
  onTestFinished(() => {
    web.closeAllConnections();
    web.close();
  });
  const port = await freePort();
  const haproxy = await startHaproxy(port, [(web.address() as AddressInfo).port]);
  onTestFinished(haproxy.stop);
  const call = request({ port, host: '127.0.0.1', localAddress, headers: { 'x-forwarded-for': '203.0.113.7' } }).end();
  const [answer] = await once(call, 'response');
  expect((await answer.toArray()).join('')).toBe(forwarded);
});
