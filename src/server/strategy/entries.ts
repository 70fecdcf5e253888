import type { EntryRule, NoEntry } from '#domain/bots/no-entry.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Parameters } from './parameters.ts';
import type { Entry, Level, Signal } from './signal.ts';

/** What the strategy knows when a candle has closed. */
export interface View extends Omit<Signal, 'entry' | 'noEntry'> {
  previous: Candle;
  /** How far the price is from a trend, USD; 0 in a trend. */
  trendGap: number;
}

/** 1 for the long side; −1 mirrors prices, so that the same comparisons serve the short side. */
type Sign = 1 | -1;

type Judgment = Pick<Signal, 'entry'> & { noEntry: NoEntry | null };

const forbid = (rule: EntryRule, side: NoEntry['side'] = null, at: Partial<NoEntry> = {}): Judgment => ({
  entry: null,
  noEntry: { rule, side, level: null, distance: null, ...at },
});

/** The strategy has seen too few candles. */
export const WARMING_UP = forbid('warm-up');

/**
 * Finds an entry with the trend: the price reached a level and turned away without closing beyond it. Without an entry, returns the
 * first rule that forbids it; among levels, that of the nearest one.
 */
export function judgeCandle(view: View, parameters: Parameters): Judgment {
  const { candle, atr, levels, trend, trendGap } = view;
  if (trend === 'flat') return forbid('trend', null, { distance: trendGap });
  if (atr === 0) return WARMING_UP;
  const sign = trend === 'up' ? 1 : -1;
  const side = sign === 1 ? 'long' : 'short';
  const rise = sign * (candle.close - candle.open);
  if (rise <= 0) return forbid('direction', side, { distance: -rise });
  const extreme = sign === 1 ? candle.low : candle.high;
  let level: Level | undefined;
  let miss: Miss | undefined;
  for (const one of levels) {
    if (one.strength < parameters.strength) continue;
    const missed = missOf(one, view, { sign, extreme, zone: parameters.zone * atr });
    // Levels rise: the last one held is the nearest for a long position, the first one for a short position.
    if (missed === null) level = sign === 1 ? one : (level ?? one);
    else if (miss === undefined || missed.distance < miss.distance) miss = missed;
  }
  if (!level) return miss ? forbid(miss.rule, side, { level: miss.level, distance: miss.distance }) : forbid('no-level', side);
  const stop = sign * Math.min(sign * level.price, sign * extreme) - sign * parameters.stopGap * atr;
  const entry: Entry = {
    side,
    // A high below the price, or a low above it, is a broken level.
    setup: (level.turned === 'high') === (sign === 1) ? 'retest' : 'bounce',
    level,
    stop,
    target: targetOf({ close: candle.close, stop, levels }, parameters),
  };
  return { entry, noEntry: null };
}

interface Miss {
  rule: 'away' | 'lost';
  level: number;
  distance: number;
}

/** Returns why a level does not hold, and by how much; null if it does. */
function missOf(
  { price: level }: Level,
  { candle, previous }: View,
  { sign, extreme, zone }: { sign: Sign; extreme: number; zone: number },
): Miss | null {
  const inside = Math.min(sign * (candle.close - level), sign * (previous.close - level));
  if (!(inside > 0)) return { rule: 'lost', level, distance: -inside };
  const away = sign * (extreme - level);
  return away <= zone ? null : { rule: 'away', level, distance: away - zone };
}

/** Returns the target of an entry at `close` with a stop: the first level that is far enough, or a multiple of the risk. */
export function targetOf(
  { close, stop, levels }: { close: number; stop: number; levels: readonly Level[] },
  { leastReward, openReward }: Pick<Parameters, 'leastReward' | 'openReward'>,
): number {
  const risk = close - stop;
  return nextLevel(levels, close + leastReward * risk, risk > 0 ? 1 : -1)?.price ?? close + openReward * risk;
}

/** Returns the first level at or beyond a price. */
const nextLevel = (levels: readonly Level[], price: number, sign: Sign): Level | undefined =>
  sign === 1 ? levels.find((level) => level.price >= price) : levels.findLast((level) => level.price <= price);
