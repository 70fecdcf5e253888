import type { ChartLevel, ChartReading } from '#contract/chat/chart-reading.ts';
import type { Candle } from './candles/series.ts';

/** Candles on each side that a swing must exceed. */
const REACH = 5;
/** Swings within this share of the visible range form one level. */
const TOLERANCE = 0.015;
const MIN_TOUCHES = 2;
const MAX_LEVELS = 8;
/** A move above this share of the visible range is a trend. */
const TREND = 0.1;

/** A high or low that no candle nearby exceeds. Rows increase downward. */
export interface Swing {
  kind: 'high' | 'low';
  x: number;
  y: number;
  /** Index of the candle, from the left. */
  index: number;
}

/** Returns the rows between the highest high and the lowest low. */
const visibleRange = (candles: readonly Candle[]): number =>
  Math.max(...candles.map(({ low }) => low)) - Math.min(...candles.map(({ high }) => high));

export function trendOf(candles: readonly Candle[]): ChartReading['trend'] {
  const first = candles[0];
  const last = candles.at(-1);
  if (!first || !last) return 'flat';
  return trendBetween(first.open, last.close, visibleRange(candles));
}

/** Returns the trend between two rows, given the visible range in rows. */
export function trendBetween(from: number, to: number, range: number): ChartReading['trend'] {
  if (Math.abs(from - to) <= TREND * range) return 'flat';
  return from > to ? 'up' : 'down';
}

/** Returns the swings. Equal extremes within reach of each other are one turn, at the first. */
export function swingsOf(candles: readonly Candle[]): Swing[] {
  const swings: Swing[] = [];
  const turned = { high: Number.NEGATIVE_INFINITY, low: Number.NEGATIVE_INFINITY };
  const turn = (kind: Swing['kind'], index: number) => {
    const candle = candles[index] as Candle;
    if (index - turned[kind] > REACH) swings.push({ kind, x: candle.x, y: candle[kind], index });
    turned[kind] = index;
  };
  for (let index = REACH; index < candles.length - REACH; index++) {
    const { high, low } = candles[index] as Candle;
    const near = candles.slice(index - REACH, index + REACH + 1);
    if (near.every((other) => other.high >= high)) turn('high', index);
    if (near.every((other) => other.low <= low)) turn('low', index);
  }
  return swings;
}

/** Returns prices where the market turned at least twice: most touches first, then latest, sorted from the highest. */
export function levelsOf(candles: readonly Candle[]): Omit<ChartLevel, 'price'>[] {
  const last = candles.at(-1);
  if (!last) return [];
  const span = TOLERANCE * visibleRange(candles);
  const swings = swingsOf(candles).sort((a, b) => b.y - a.y);
  const clusters: Swing[][] = [];
  for (const swing of swings) {
    const cluster = clusters.at(-1);
    if (cluster && (cluster[0] as Swing).y - swing.y <= span) cluster.push(swing);
    else clusters.push([swing]);
  }
  return clusters
    .filter((cluster) => cluster.length >= MIN_TOUCHES)
    .map((cluster) => ({
      y: cluster.reduce((sum, { y }) => sum + y, 0) / cluster.length,
      touches: cluster.length,
      latest: Math.max(...cluster.map(({ index }) => index)),
    }))
    .sort((a, b) => b.touches - a.touches || b.latest - a.latest)
    .slice(0, MAX_LEVELS)
    .sort((a, b) => a.y - b.y)
    .map(({ y, touches }) => ({ kind: y > last.close ? ('support' as const) : ('resistance' as const), y, touches }));
}
