import { expect, it } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { listCandleData, readCandleData } from '#server/backtests/candle-data.ts';

it('lists each length that bots trade on, with the days of its candles', () => {
  const none = { market: null, from: null, to: null };
  const shipped = { market: 'Binance BTC/USDT spot', from: '2023-01-01', to: '2025-01-19' };
  expect(listCandleData()).toEqual([
    { interval: '5m', ...none },
    { interval: '15m', ...none },
    { interval: '30m', ...none },
    { interval: '1h', ...shipped, to: '2025-01-20' },
    { interval: '4h', ...shipped },
  ]);
});

it('reads the shipped candles, joined to the length', () => {
  expect(readCandleData('15m')).toBeUndefined();
  const { candles = [] } = readCandleData('4h') ?? {};
  expect(candles.every(({ time }) => time % (4 * HOUR) === 0)).toBe(true);
  expect(candles.length).toBeGreaterThan(4400);
});
