import { SECOND } from '#domain/clock.ts';
import { isNear, median, weightedMedian } from './median.ts';
import type { Quoted } from './quoted.ts';
import { type Rates, ratesOf } from './rates.ts';
import type { VenueId } from './venue.ts';

/** A ticker this old does not count, ms. */
const MAX_AGE = 60 * SECOND;
/** Share by which a ticker may differ from the median of the exchanges. */
const OUTLIER = 0.03;
/** An exchange is left out if it is off on more than half of at least this many coins that three exchanges have. */
const ENOUGH_COINS = 3;
const ENOUGH_VENUES = 3;

/** A ticker in dollars. */
interface Sample {
  venue: VenueId;
  price: number;
  /** Ratio of the price to that of 24 hours ago; null if unknown. */
  ratio: number | null;
  /** Dollars traded in 24 hours. */
  weight: number;
  at: number;
}

/** What an exchange contributes to a price. */
export interface Source {
  venue: VenueId;
  /** USD. */
  price: number;
  /** ms UTC. */
  at: number;
}

/** A coin's figures, USD. */
export interface CoinFigures {
  price: number;
  /** Percent in 24 hours; null if unknown. */
  change: number | null;
  /** Traded in 24 hours, on all exchanges that count. */
  volume: number;
  /** The most traded first. */
  sources: readonly Source[];
}

export interface MarketFigures {
  /** By coin id. */
  coins: ReadonlyMap<number, CoinFigures>;
  /** Exchanges that the figures come from. */
  venues: readonly VenueId[];
  /** Quote currencies that count as a dollar. */
  atPar: readonly string[];
}

/** Works out dollar prices from the tickers of all exchanges. A coin whose exchanges disagree without a majority has none. */
export function figuresOf(quoted: readonly Quoted[], now: number): MarketFigures {
  // A ticker from the future has no known age.
  const fresh = quoted.filter(({ at }) => Math.abs(now - at) <= MAX_AGE);
  const wrong = wrongVenues(samplesOf(fresh).samples);
  const trusted = wrong.size === 0 ? fresh : fresh.filter(({ venue }) => !wrong.has(venue));
  const { samples, atPar } = samplesOf(trusted);
  const coins = new Map<number, CoinFigures>();
  for (const [coin, all] of samples) {
    const figures = figuresOfCoin(all);
    if (figures) coins.set(coin, figures);
  }
  const venues = new Set([...coins.values()].flatMap(({ sources }) => sources.map(({ venue }) => venue)));
  return { coins, venues: [...venues], atPar };
}

/** Converts tickers to dollars, by coin. Bitcoin comes first, because its price converts what is quoted in it. */
function samplesOf(quoted: readonly Quoted[]): { samples: Map<number, Sample[]>; atPar: readonly string[] } {
  const { rates, atPar } = ratesOf(quoted);
  const bitcoin = figuresOfCoin(quoted.filter(({ base }) => base === 'BTC').flatMap((one) => sampleOf(one, rates)));
  const open = bitcoin?.change == null ? null : bitcoin.price / (1 + bitcoin.change / 100);
  const all: Rates = bitcoin ? new Map([...rates, ['BTC', { now: bitcoin.price, open }]]) : rates;
  const samples = new Map<number, Sample[]>();
  for (const one of quoted) {
    if (one.coin === null) continue;
    const known = samples.get(one.coin) ?? [];
    known.push(...sampleOf(one, all));
    samples.set(one.coin, known);
  }
  return { samples, atPar };
}

function sampleOf({ venue, quote, price, open, volume, at }: Quoted, rates: Rates): Sample[] {
  const rate = rates.get(quote);
  if (!rate) return [];
  const dollars = price * rate.now;
  const ratio = open === null || rate.open === null ? null : dollars / (open * rate.open);
  return [{ venue, price: dollars, ratio, weight: dollars * volume, at }];
}

/** Returns the most traded sample of each exchange, the most traded exchange first. */
function mostTraded(samples: readonly Sample[]): Sample[] {
  const best = new Map<VenueId, Sample>();
  for (const sample of [...samples].sort((a, b) => b.weight - a.weight)) if (!best.has(sample.venue)) best.set(sample.venue, sample);
  return [...best.values()];
}

/** Returns the median over exchanges. Each has one vote, because a wrong exchange may report any volume. */
const centerOf = (samples: readonly Sample[]): number => median(mostTraded(samples).map(({ price }) => price));

function figuresOfCoin(samples: readonly Sample[]): CoinFigures | undefined {
  const center = centerOf(samples);
  const kept = samples.filter(({ price }) => isNear(price, center, OUTLIER));
  if (kept.length === 0) return undefined;
  const ratios = kept.flatMap(({ ratio, weight }) => (ratio === null ? [] : [{ value: ratio, weight }]));
  const ratio = weightedMedian(ratios);
  return {
    price: weightedMedian(kept.map(({ price, weight }) => ({ value: price, weight }))),
    change: Number.isFinite(ratio) ? (ratio - 1) * 100 : null,
    volume: kept.reduce((sum, { weight }) => sum + weight, 0),
    sources: mostTraded(kept).map(({ venue, price, at }) => ({ venue, price, at })),
  };
}

/** Returns the exchanges that are off on most coins: their other prices are as wrong, but nothing else would show it. */
function wrongVenues(coins: ReadonlyMap<number, readonly Sample[]>): ReadonlySet<VenueId> {
  const counts = new Map<VenueId, { compared: number; off: number }>();
  for (const samples of coins.values()) {
    const votes = mostTraded(samples);
    if (votes.length < ENOUGH_VENUES) continue;
    const center = median(votes.map(({ price }) => price));
    for (const { venue, price } of votes) {
      const count = counts.get(venue) ?? { compared: 0, off: 0 };
      count.compared++;
      if (!isNear(price, center, OUTLIER)) count.off++;
      counts.set(venue, count);
    }
  }
  return new Set([...counts].flatMap(([venue, { compared, off }]) => (compared >= ENOUGH_COINS && off > compared / 2 ? [venue] : [])));
}
