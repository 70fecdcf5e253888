import type { AlertPeriod } from '#contract/alerts/alert.ts';
import { ALERT_PERIODS } from '#contract/alerts/alert-limits.ts';
import type { Look, Measure } from '#domain/alerts/rules.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { MarketCoin } from '#server/ports/market-data/market-data.ts';

/** What a coin showed at one time. */
export interface Sample {
  coin: { name: string; symbol: string };
  /** ms UTC. */
  at: number;
  /** Shown to the user. */
  source: string;
  /** USD. */
  price: number;
  /** Percent; null where the market does not know it. */
  changes: Readonly<Record<AlertPeriod, number | null>>;
}

/** How far a coin is checked, and the bounds of its prices in the hour of `seenUntil` since `seenFrom`. Times in ms UTC. */
export interface Known {
  seenUntil: number;
  seenFrom: number;
  high: number;
  low: number;
}

/** A coin's hourly candles. */
export interface Past {
  source: string;
  /** Oldest first. */
  candles: readonly Pick<Candle, 'time' | 'open' | 'high' | 'low' | 'close'>[];
  /** When they were read, ms UTC. */
  until: number;
}

/** What alerts look at: the measures of a coin between two times. */
export interface Moment {
  /** The market's names of the coin; absent in its past. */
  coin?: { name: string; symbol: string };
  source: string;
  looks: Readonly<Partial<Record<Measure, Look>>>;
  /** The price that belongs to a measure's value. */
  priceAt: (measure: Measure, value: number) => number;
  to: number;
}

const SPANS: Record<AlertPeriod, number> = { '1h': HOUR, '24h': DAY, '7d': 7 * DAY };
const hourOf = (time: number): number => Math.floor(time / HOUR) * HOUR;

/** Returns what the market shows of a coin; nothing without a price. */
export function sampleOf({ name, symbol, quote: { USD } }: MarketCoin, { at, source }: { at: number; source: string }): Sample | undefined {
  if (USD.price === null || !(USD.price > 0)) return undefined;
  const changes = { '1h': USD.percent_change_1h, '24h': USD.percent_change_24h, '7d': USD.percent_change_7d };
  return { coin: { name, symbol }, at, source, price: USD.price, changes };
}

/** Returns a sample as a moment that begins at the sample before it. */
export function momentOf({ coin, at, source, price, changes }: Sample, from: number): Moment {
  const flat = (value: number): Look => ({ from, to: at, high: value, low: value, last: value });
  const looks: Partial<Record<Measure, Look>> = { price: flat(price) };
  for (const period of ALERT_PERIODS) {
    const change = changes[period];
    if (change !== null) looks[period] = flat(change);
  }
  return { coin, source, looks, to: at, priceAt: () => price };
}

/**
 * Returns the hours between the last check and the first sample after it as moments. Of an hour that was checked in part, an extreme counts if
 * it is past all prices that were seen in it.
 */
export function momentsOfGap(known: Known, { source, candles }: Past, end: number): Moment[] {
  const opens = new Map(candles.map(({ time, open }) => [time, open]));
  return candles
    .filter(({ time }) => time + HOUR > known.seenUntil && time < end)
    .map((candle) => {
      const from = Math.max(candle.time, known.seenUntil);
      const to = Math.min(candle.time + HOUR, end);
      const { high, low } = candle.time < known.seenUntil ? unseen(candle, known) : candle;
      const price = { high, low, last: candle.close };
      const looks: Partial<Record<Measure, Look>> = { price: { from, to, ...price } };
      const bases: Partial<Record<Measure, number>> = {};
      for (const period of ALERT_PERIODS) {
        const base = opens.get(candle.time - SPANS[period]);
        if (!base) continue;
        const change = (value: number): number => (value / base - 1) * 100;
        bases[period] = base;
        looks[period] = { from, to, high: change(high), low: change(low), last: change(price.last) };
      }
      const priceAt = (measure: Measure, value: number): number => {
        const base = bases[measure];
        return base === undefined ? value : base * (1 + value / 100);
      };
      return { source: `${source}, hour of ${new Date(candle.time).toISOString().slice(11, 16)} UTC`, looks, to, priceAt };
    });
}

/** Returns the extremes of an hour that were not seen; its close where that cannot be told. */
function unseen({ time, high, low, close }: Past['candles'][number], known: Known): { high: number; low: number } {
  const isCovered = known.seenFrom <= time && hourOf(known.seenUntil) === time;
  return { high: isCovered && high > known.high ? high : close, low: isCovered && low < known.low ? low : close };
}

/** Returns what is known after samples that follow the last check without a gap. */
export function knownAfter(known: Known, samples: readonly Sample[]): Known {
  let { seenUntil, seenFrom, high, low } = known;
  for (const { at, price } of samples) {
    const isNewHour = hourOf(at) > hourOf(seenUntil);
    if (isNewHour) seenFrom = hourOf(at);
    high = isNewHour ? price : Math.max(high, price);
    low = isNewHour ? price : Math.min(low, price);
    seenUntil = at;
  }
  return { seenUntil, seenFrom, high, low };
}

/** Returns what is known after a gap, whose last hour's candle is known as well if there is one. */
export function knownAfterGap(past: Past | undefined, first: Sample): Known {
  const candle = past?.candles.findLast(({ time }) => time === hourOf(first.at));
  const { at, price } = first;
  return {
    seenUntil: at,
    seenFrom: candle ? candle.time : at,
    high: Math.max(price, candle?.high ?? price),
    low: Math.min(price, candle?.low ?? price),
  };
}
