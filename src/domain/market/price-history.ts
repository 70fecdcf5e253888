import { DAY } from '../clock.ts';
import type { Bar } from './candles.ts';

/** Figures of daily candles, oldest first. */

/** The fewest days that a volatility or a correlation means anything for. */
export const MIN_RETURNS = 20;

export interface Extreme {
  price: number;
  /** Opening time of its day, ms UTC. */
  time: number;
}

/** Returns the candles that open within the last `days` before `asOf` (ms UTC). */
export const lastDays = <B extends Bar>(candles: readonly B[], days: number, asOf: number): readonly B[] =>
  candles.filter(({ time }) => time > asOf - days * DAY);

/** Returns the highest and the lowest price, the earliest of equal ones; undefined without candles. */
export function extremes(candles: readonly Bar[]): { high: Extreme; low: Extreme } | undefined {
  const [first] = candles;
  if (!first) return undefined;
  let high = first;
  let low = first;
  for (const candle of candles) {
    if (candle.high > high.high) high = candle;
    if (candle.low < low.low) low = candle;
  }
  return { high: { price: high.high, time: high.time }, low: { price: low.low, time: low.time } };
}

/** Returns the daily changes of the close as fractions, by opening time. A missing day has none, and none follows it. */
export function dailyReturns(candles: readonly Bar[]): Map<number, number> {
  const returns = new Map<number, number>();
  for (const [index, { time, close }] of candles.entries()) {
    const before = candles[index - 1];
    if (before && before.time === time - DAY && before.close > 0) returns.set(time, close / before.close - 1);
  }
  return returns;
}

/** Returns the standard deviation of daily changes as a fraction; undefined for fewer than `MIN_RETURNS`. */
export function volatility(candles: readonly Bar[]): number | undefined {
  const returns = [...dailyReturns(candles).values()];
  return returns.length < MIN_RETURNS ? undefined : deviation(returns);
}

export interface Drawdown {
  /** Fraction lost, from 0 to 1. */
  share: number;
  peak: Extreme;
  trough: Extreme;
}

/** Returns the largest fall of the close from an earlier close; undefined if the price never fell. */
export function maxDrawdown(candles: readonly Bar[]): Drawdown | undefined {
  let [peak] = candles;
  let worst: Drawdown | undefined;
  for (const candle of candles) {
    if (!peak || candle.close >= peak.close) peak = candle;
    const share = 1 - candle.close / peak.close;
    if (share > (worst?.share ?? 0))
      worst = { share, peak: { price: peak.close, time: peak.time }, trough: { price: candle.close, time: candle.time } };
  }
  return worst;
}

/**
 * Returns how closely the daily changes of two coins move together, from -1 to 1, and on how many common days. Undefined for fewer than
 * `MIN_RETURNS` days, or if a price stood still.
 */
export function correlation(one: readonly Bar[], other: readonly Bar[]): { value: number; days: number } | undefined {
  const others = dailyReturns(other);
  const pairs = [...dailyReturns(one)].flatMap(([time, change]) => {
    const beside = others.get(time);
    return beside === undefined ? [] : [[change, beside] as const];
  });
  if (pairs.length < MIN_RETURNS) return undefined;
  const [left, right] = [pairs.map(([change]) => change), pairs.map(([, change]) => change)];
  const [meanLeft, meanRight] = [mean(left), mean(right)];
  const together = pairs.reduce((sum, [a, b]) => sum + (a - meanLeft) * (b - meanRight), 0) / (pairs.length - 1);
  const value = together / (deviation(left) * deviation(right));
  return Number.isFinite(value) ? { value: Math.min(1, Math.max(-1, value)), days: pairs.length } : undefined;
}

/** Returns the candle of the day that contains a time (ms UTC). */
export const candleAt = <B extends Bar>(candles: readonly B[], time: number): B | undefined =>
  candles.find((candle) => candle.time <= time && time < candle.time + DAY);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The standard deviation of a sample. */
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}
