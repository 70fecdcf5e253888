import type { Candle } from '#domain/market/candles.ts';
import { buyAndHold } from './buy-and-hold.ts';
import { type CourseFigures, courseFigures, type TradeFigures, tradeFigures } from './figures.ts';
import type { BacktestOptions, BacktestResult, EquityPoint } from './run-backtest.ts';

/** A backtest compared with bitcoin bought at the first traded open and held. */
export interface Comparison {
  strategy: CourseFigures & TradeFigures;
  held: CourseFigures;
  holding: EquityPoint[];
}

/** Compares a result with buy and hold, which also pays the cost of its entry. `candles` may begin before `from`, ms. */
export function compareWithHolding(
  candles: readonly Candle[],
  { equity, trades }: BacktestResult,
  { from = Number.NEGATIVE_INFINITY, interval, capital, rules }: Pick<BacktestOptions, 'from' | 'interval' | 'capital' | 'rules'>,
): Comparison {
  const traded = candles.filter(({ time }) => time >= from);
  const [first] = traded;
  if (!first) throw new Error('No candle is traded.');
  const holding = buyAndHold(traded, { capital, cost: rules.takerFee + rules.slippage, interval });
  const course = { start: capital, from: first.time };
  return { strategy: { ...courseFigures(equity, course), ...tradeFigures(trades) }, held: courseFigures(holding, course), holding };
}
