import type { Candle } from '#domain/market/candles.ts';
import type { EquityPoint } from './run-backtest.ts';

/** What the same money came to, put into bitcoin at the first open and left there; `cost` is what buying takes of it, a fraction. */
export function buyAndHold(
  candles: readonly Candle[],
  { capital, cost, interval }: { capital: number; cost: number; interval: number },
): EquityPoint[] {
  const bitcoin = candles[0] ? (capital * (1 - cost)) / candles[0].open : 0;
  return candles.map(({ time, close }) => ({ at: time + interval, equity: bitcoin * close, exposed: true }));
}
