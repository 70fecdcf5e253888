import type { Candle } from '#domain/market/candles.ts';
import type { EquityPoint } from './run-backtest.ts';

/** Returns the equity curve of buying bitcoin at the first open and holding it. `cost` is the fraction that buying costs. */
export function buyAndHold(
  candles: readonly Candle[],
  { capital, cost, interval }: { capital: number; cost: number; interval: number },
): EquityPoint[] {
  const bitcoin = candles[0] ? (capital * (1 - cost)) / candles[0].open : 0;
  return candles.map(({ time, close }) => ({ at: time + interval, equity: bitcoin * close, exposed: true }));
}
