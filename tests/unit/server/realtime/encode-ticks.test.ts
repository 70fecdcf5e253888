import { expect, test, vi } from 'vitest';
import type { CoinTick, CoinTicks } from '#contract/market/coin-ticks.ts';
import { encodeTicks } from '#server/realtime/encode-ticks.ts';

const figures = { price: 64_000.5, market_cap: 1e12, percent_change_24h: -1.25 };
const tickOf = (id: number): CoinTick => ({ id, quote: { USD: figures, BTC: { ...figures, price: 1e-9 } } });
const ticksOf = (coins: CoinTick[]): CoinTicks => ({ source: { name: 'Demo "1"', demo: true, asOf: '2026-01-01T00:00:00.000Z' }, coins });

test('encodes an event of the main namespace', () => {
  const ticks = ticksOf([tickOf(1), tickOf(2)]);
  const packet = encodeTicks(ticks);
  expect(packet[0]).toBe('2');
  expect(JSON.parse(packet.slice(1))).toEqual(['coin_ticks', ticks]);
});

test('serializes a coin once, however many sockets and sets of coins it is in', () => {
  const coins = [tickOf(1), tickOf(2), tickOf(3)];
  const serialize = vi.spyOn(JSON, 'stringify');
  try {
    for (let socket = 0; socket < 50; socket++) encodeTicks(ticksOf(coins.slice(socket % 2)));
    const serialized = serialize.mock.calls.map(([value]) => value).filter((value) => coins.includes(value));
    expect(serialized).toEqual(coins);
  } finally {
    serialize.mockRestore();
  }
});
