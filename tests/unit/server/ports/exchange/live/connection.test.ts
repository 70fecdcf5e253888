import { expect, test, vi } from 'vitest';
import { PROTOCOL } from '#server/ports/exchange/bybit/protocol.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { createConnections } from '#server/ports/exchange/live/connection.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { freePort } from '#tests/support/processes/free-port.ts';

const load = vi.hoisted(() => ({ calls: 0 }));
vi.mock('#server/ports/load-ccxt.ts', async (original) => {
  const actual = await original<typeof import('#server/ports/load-ccxt.ts')>();
  return {
    loadCcxt: (exchange: string) => (load.calls++ === 0 ? Promise.reject(new Error('too many open files')) : actual.loadCcxt(exchange)),
  };
});

test('a client that could not be loaded is loaded by the next request', async () => {
  const urls = [`http://127.0.0.1:${await freePort()}`] as const;
  const connections = createConnections({
    protocol: PROTOCOL,
    urls,
    clock: Date.now,
    budget: freeBudget,
    patience: { answer: 1_000, limit: 0 },
  });
  const ask = () => connections.public.read('publicGetV5MarketTime', {});
  await expect(ask()).rejects.toThrow('too many open files');
  // Now the client asks, and no server listens there.
  await expect(ask()).rejects.toBeInstanceOf(ExchangeError);
  expect(load.calls).toBe(2);
});
