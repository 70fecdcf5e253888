import { afterEach, expect, test } from 'vitest';
import { createLimitedFetch } from '#server/ports/market-data/exchanges/limited-fetch.ts';
import { type FakeExchange, startFakeExchange } from '#tests/support/market/exchanges/fake-exchange.ts';

let exchange: FakeExchange | undefined;
afterEach(async () => {
  await exchange?.close();
  exchange = undefined;
});

const REQUEST = { method: 'GET', headers: {} };

test('an answer that is too long is cut off while it comes', async () => {
  exchange = await startFakeExchange('kraken', []);
  exchange.fault = { kind: 'huge', bytes: 100_000_000 };
  await expect(createLimitedFetch(60_000, 1_000_000)(exchange.url, REQUEST)).rejects.toThrow('more than 1000000 bytes');
});

test.each(['endless', 'silence'] as const)('an answer that is %s ends with the time limit', async (kind) => {
  exchange = await startFakeExchange('kraken', []);
  exchange.fault = { kind };
  await expect(createLimitedFetch(200)(exchange.url, REQUEST)).rejects.toThrow();
});

test('a redirect to another host is not followed', async () => {
  exchange = await startFakeExchange('kraken', []);
  exchange.fault = { kind: 'status', status: 302, location: 'http://127.0.0.1:9/' };
  await expect(createLimitedFetch(60_000)(exchange.url, REQUEST)).rejects.toThrow();
});
