import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, customerOf } from '#tests/support/plans/customer.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const HERE = '127.0.0.1';

let server: TestServer;
let behindProxy: TestServer;
let ada: Customer;

beforeAll(async () => {
  [server, behindProxy] = await Promise.all([startServer(), startServer({ env: { TRUST_PROXY: 'on' } })]);
  ada = await customerOf(server);
});
afterAll(() => Promise.all([server.close(), behindProxy.close()]));

interface Caller {
  peer?: string;
  headers?: Record<string, string>;
}

const caller = (name: string, { peer = HERE, headers = {} }: Caller) => ({ name, peer, headers: { host: 'localhost:8080', ...headers } });

const here = [
  caller('this machine', {}),
  caller('this machine by IPv6', { peer: '::1', headers: { host: '[::1]:8080' } }),
  caller('this machine at a socket for both versions', { peer: '::ffff:127.0.0.1', headers: { host: '127.0.0.1' } }),
  caller('a proxy that names this machine', { headers: { 'x-forwarded-for': '127.0.0.1, ::1' } }),
];

const elsewhere = [
  caller('another machine', { peer: '192.0.2.7' }),
  caller('another machine by IPv6', { peer: '2001:db8::7' }),
  caller('another machine at a socket for both versions', { peer: '::ffff:192.0.2.7' }),
  caller('a proxy here that names another machine', { headers: { 'x-forwarded-for': '192.0.2.7' } }),
  caller('a client that puts a loopback address first', { headers: { 'x-forwarded-for': '127.0.0.1, 192.0.2.7' } }),
  caller('a client that puts a loopback address last', { headers: { 'x-forwarded-for': '192.0.2.7, 127.0.0.1' } }),
  caller('a proxy that names its client otherwise', { headers: { 'x-real-ip': '192.0.2.7' } }),
  caller('a proxy that names its client by the standard', { headers: { forwarded: 'for=192.0.2.7' } }),
  caller('a rebound name', { headers: { host: 'rebound.example.com' } }),
  caller('a rebound name behind a proxy', { headers: { 'x-forwarded-host': 'rebound.example.com' } }),
  caller('a name that only begins like ours', { headers: { host: 'localhost.example.com' } }),
  caller('our name as a user of another', { headers: { host: 'localhost@rebound.example.com' } }),
  caller('a name that is none', { headers: { host: '[::1' } }),
];

describe.each([
  ['without a proxy', () => server],
  ['with TRUST_PROXY=on', () => behindProxy],
])('the mailbox %s', (_name, of) => {
  const ask = async ({ peer, headers }: ReturnType<typeof caller>) =>
    (await of().app.inject({ url: '/mailbox', remoteAddress: peer, headers })).statusCode;

  test.each(here)('opens for $name', async (from) => {
    expect(await ask(from)).toBe(200);
  });

  test.each(elsewhere)('does not exist for $name', async (from) => {
    expect(await ask(from)).toBe(404);
  });
});

test('the mailbox does not exist for a client that a proxy forwards, over real connections', async () => {
  const ask = (from: string) => fetch(`${behindProxy.url}/mailbox`, { headers: { 'x-forwarded-for': from } });
  expect((await ask('192.0.2.7')).status).toBe(404);
  expect((await ask('127.0.0.1')).status).toBe(200);
});

describe('the test store', () => {
  const buy = ({ peer, headers }: ReturnType<typeof caller>, path: string, payload: object) =>
    server.app.inject({
      method: 'POST',
      url: `/api/test-store/${path}`,
      remoteAddress: peer,
      headers: { ...headers, authorization: ada.who.authorization },
      payload,
    });

  test.each(here)('sells to $name', async (from) => {
    expect((await buy(from, 'purchases', { productId: 'pro_monthly', outcome: 'paid' })).statusCode).toBe(200);
  });

  test.each(elsewhere)('is closed for $name', async (from) => {
    for (const [path, payload] of [
      ['purchases', { productId: 'pro_monthly', outcome: 'paid' }],
      ['changes', { change: 'renew' }],
    ] as const) {
      const answer = await buy(from, path, payload);
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toEqual({ status: 503, code: 'store_unavailable', message: 'Plans cannot be bought here at the moment.' });
    }
  });
});
