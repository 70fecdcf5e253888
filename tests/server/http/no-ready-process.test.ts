import { afterEach, expect, test } from 'vitest';
import type { Balancer } from '#tests/support/cluster/balancer.ts';
import { CADDY, startCaddy } from '#tests/support/cluster/caddy.ts';
import { HAPROXY, startHaproxy } from '#tests/support/cluster/haproxy.ts';
import { findProgram } from '#tests/support/processes/find-program.mjs';
import { freePort } from '#tests/support/processes/free-port.ts';

let balancer: Balancer | undefined;

afterEach(async () => {
  await balancer?.stop();
  balancer = undefined;
});

/** Expects the answer of a balancer whose processes are all away. */
async function expectApiError(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/config`);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('3');
  expect(await response.json()).toEqual({ status: 503, code: 'unavailable', message: expect.any(String) });
}

test.skipIf(!findProgram(HAPROXY))('HAProxy without a ready process answers an error of the API', async () => {
  const [port = 0, ...webPorts] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  balancer = await startHaproxy(port, webPorts);
  await expectApiError(port);
});

test.skipIf(!findProgram(CADDY))('Caddy without a ready process answers an error of the API', async () => {
  const [port, first, second] = await Promise.all([freePort(), freePort(), freePort()]);
  balancer = await startCaddy(port, [first, second]);
  await expectApiError(port);
});
