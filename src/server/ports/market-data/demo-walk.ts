import type { Period } from '#contract/market/market.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { bridge, mixSeed } from './bridge.ts';
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

/** A coin's price and volume at any moment of a week that starts at the snapshot. */
export interface CoinWalk {
  /** USD at `time`, ms UTC; before the week it follows the snapshot's own history. */
  price(time: number): number;
  /** USD traded in the 24 hours before `time`. */
  volume(time: number): number;
}

/** Returns Monday 00:00 UTC of the week that contains `time`. */
export const weekStart = (time: number): number => Math.floor((time - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;

/**
 * Each week (UTC) the walk starts and ends at the snapshot, so it does not drift and needs no memory. Before the week, prices
 * follow the snapshot's changes, so that each change compares two prices of the same line.
 */
export function walkFrom(coin: BundledCoin, start: number, seed: number): CoinWalk {
  const weekSeed = mixSeed(seed, start / DAY);
  const own = mixSeed(weekSeed, coin.id);
  const market = mixSeed(weekSeed, WHOLE_MARKET);
  const stable = coin.tags.includes('stablecoin');
  const spread = (stable ? STABLE_SPREAD : dailySpread(coin)) * Math.sqrt(WEEK / DAY);
  const pricePast = Object.entries(PERIOD_MS).map(([period, age]) => ({ age, log: -Math.log1p(coin.change[period as Period] / 100) }));
  const volumePast = [{ age: DAY, log: -Math.log1p(coin.volumeChange24h / 100) }];
  const at = (time: number) => (time - start) / WEEK;

  return {
    price(time) {
      if (time < start) return coin.price * Math.exp(interpolate(pricePast, start - time));
      const steps = stable ? bridge(own, at(time)) : SHARED * bridge(market, at(time)) + OWN * bridge(own, at(time));
      return coin.price * Math.exp(spread * steps);
    },
    volume(time) {
      if (time < start) return coin.volume24h * Math.exp(interpolate(volumePast, start - time));
      return coin.volume24h * Math.exp(VOLUME_SPREAD * bridge(mixSeed(own, 1), at(time)));
    },
  };
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
function interpolate(points: readonly { age: number; log: number }[], age: number): number {
  let from = { age: 0, log: 0 };
  for (const to of points) {
    if (age <= to.age) return from.log + ((to.log - from.log) * (age - from.age)) / (to.age - from.age);
    from = to;
  }
  return from.log;
}
