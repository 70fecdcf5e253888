import type { Period } from '#contract/market/market.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { bridge, mixSeed, variate } from './bridge.ts';
import type { BundledCoin } from './bundled.ts';

/** Ages of the past prices that the snapshot's changes imply. */
export const PERIOD_MS: Record<Period, number> = {
  '1h': HOUR,
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '60d': 60 * DAY,
  '90d': 90 * DAY,
};

const WEEK = 7 * DAY;
/** 1970-01-05, the first Monday after the epoch. */
const FIRST_MONDAY = 4 * DAY;
/** Salt of the walk's part that all coins share; no coin has this id. */
const WHOLE_MARKET = 0;
/** Weights of the market's and the coin's own movement; 0.6² + 0.8² = 1 keeps the daily deviation. */
const SHARED = 0.6;
const OWN = 0.8;
const VOLUME_SPREAD = 0.25;
const STABLE_SPREAD = 0.0002;

/** Age of the oldest price that a walk draws, before its week: a year of candles and a margin. */
const OLDEST = 400 * DAY;

/** A coin's price and volume at any moment of a week that starts at the snapshot. */
export interface CoinWalk {
  /** The coin has no price before this time, ms UTC. */
  since: number;
  /** USD at `time`, ms UTC; before the week it follows the snapshot's own history. */
  price(time: number): number;
  /** USD traded in the 24 hours before `time`. */
  volume(time: number): number;
}

/** Returns Monday 00:00 UTC of the week that contains `time`. */
export const weekStart = (time: number): number => Math.floor((time - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;

/**
 * Each week (UTC) the walk starts and ends at the snapshot, so it does not drift and needs no memory. Before the week, prices
 * pass through those that the snapshot's changes imply, so that changes and candles compare prices of the same line.
 * @param origin.takenAt time of the snapshot, ms UTC
 */
export function walkFrom(coin: BundledCoin, start: number, { seed, takenAt }: { seed: number; takenAt: number }): CoinWalk {
  const weekSeed = mixSeed(seed, start / DAY);
  const own = mixSeed(weekSeed, coin.id);
  const market = mixSeed(weekSeed, WHOLE_MARKET);
  const stable = coin.tags.includes('stablecoin');
  const perDay = stable ? STABLE_SPREAD : dailySpread(coin);
  const spread = perDay * Math.sqrt(WEEK / DAY);
  const listedFor = Math.max(PERIOD_MS['1h'], takenAt - Date.parse(coin.dateAdded));
  const past = pastPoints(coin, { listedFor, drift: stable ? 0 : perDay * variate(mixSeed(own, OLDEST)) });
  const volumePast = [{ age: DAY, log: -Math.log1p(coin.volumeChange24h / 100) }];
  const at = (time: number) => (time - start) / WEEK;
  const steps = (ownSeed: number, marketSeed: number, share: number) =>
    stable ? bridge(ownSeed, share) : SHARED * bridge(marketSeed, share) + OWN * bridge(ownSeed, share);

  function pastLog(age: number): number {
    const { from, to, index } = around(past, age);
    if (!to) return from.log;
    const share = (age - from.age) / (to.age - from.age);
    const noise = perDay * Math.sqrt((to.age - from.age) / DAY) * steps(mixSeed(own, index + 2), mixSeed(market, index + 2), share);
    return from.log + (to.log - from.log) * share + noise;
  }

  return {
    since: start - (past.at(-1)?.age ?? 0),
    price(time) {
      if (time < start) return coin.price * Math.exp(pastLog(start - time));
      return coin.price * Math.exp(spread * steps(own, market, at(time)));
    },
    volume(time) {
      if (time < start) return coin.volume24h * Math.exp(interpolate(volumePast, start - time));
      return coin.volume24h * Math.exp(VOLUME_SPREAD * bridge(mixSeed(own, 1), at(time)));
    },
  };
}

/** A price of the past: its age before the week, ms, and its logarithm relative to the snapshot's price. */
interface PastPoint {
  age: number;
  log: number;
}

/** Returns the prices that the snapshot's changes imply, youngest first, back to when the coin was listed. */
function pastPoints(coin: BundledCoin, { listedFor, drift }: { listedFor: number; drift: number }): PastPoint[] {
  const known = Object.entries(PERIOD_MS).map(([period, age]) => ({ age, log: -Math.log1p(coin.change[period as Period] / 100) }));
  const last = known.at(-1) ?? { age: 0, log: 0 };
  const all = [...known, { age: OLDEST, log: last.log + drift * Math.sqrt((OLDEST - last.age) / DAY) }];
  // The change of a longer period is the one since the listing.
  const first = all.findIndex(({ age }) => age >= listedFor);
  return first < 0 ? all : [...all.slice(0, first), { age: listedFor, log: all[first]?.log ?? 0 }];
}

/** Returns the points around an age, and the index of the younger one. Without `to`, the age is beyond the last point. */
function around(points: readonly PastPoint[], age: number): { from: PastPoint; to: PastPoint | undefined; index: number } {
  let from: PastPoint = { age: 0, log: 0 };
  for (const [index, to] of points.entries()) {
    if (age <= to.age) return { from, to, index };
    from = to;
  }
  return { from, to: undefined, index: points.length };
}

/** Estimates a day's standard deviation from six changes, capped so that every coin stays plausible for a week. */
function dailySpread(coin: BundledCoin): number {
  const perDay = (['24h', '7d', '30d', '60d', '90d'] as const).map(
    (period) => Math.abs(coin.change[period] / 100) / Math.sqrt(PERIOD_MS[period] / DAY),
  );
  const mean = perDay.reduce((sum, value) => sum + value, 0) / perDay.length;
  return Math.min(0.035, Math.max(0.01, mean));
}

/** Interpolates linearly between points in rising age, from 0 at age 0; constant after the last one. */
function interpolate(points: readonly PastPoint[], age: number): number {
  const { from, to } = around(points, age);
  return to ? from.log + ((to.log - from.log) * (age - from.age)) / (to.age - from.age) : from.log;
}
