import { type Clock, DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { type Candle, validCandles } from '#domain/market/candles.ts';
import type { CoinCandles, SourcedCandles } from '../coin-candles.ts';
import { nothingToShow } from '../nothing-to-show.ts';
import type { KnownMarket, KnownMarkets } from './known-markets.ts';
import type { VenueClient } from './venue-client.ts';

/** Quote currencies of charts, the preferred one first: dollars need no conversion. */
const QUOTES = ['USD', 'USDT', 'USDC'];
/** Share of the wanted time that a series may lack at its start, before another exchange is asked for a longer one. */
const SHORT = 0.1;
/** How long the candles of a stablecoin are used again, ms. */
const RATES_LIFE = 10 * MINUTE;
/** Pages of one series. Older candles are left out. */
const MAX_PAGES = 6;

interface Choice {
  client: VenueClient;
  market: KnownMarket;
}

interface Parts {
  venues: readonly { client: VenueClient; markets: KnownMarkets }[];
  clock: Clock;
}

/** Reads candles from the exchange that trades a coin for dollars, or for a stablecoin, whose own candles convert them. */
export function createCoinCandles({ venues, clock }: Parts): CoinCandles {
  /** Returns the markets of a coin, the preferred one first, and whether an exchange gave none because it did not answer. */
  async function choicesOf(isWanted: (market: KnownMarket) => boolean): Promise<{ choices: Choice[]; isUnsure: boolean }> {
    const listed = await Promise.allSettled(
      venues.map(async ({ client, markets }) => [...(await markets.get()).values()].filter(isWanted).map((market) => ({ client, market }))),
    );
    const choices = listed.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    choices.sort((a, b) => QUOTES.indexOf(a.market.quote) - QUOTES.indexOf(b.market.quote));
    return { choices, isUnsure: listed.some(({ status }) => status === 'rejected') };
  }

  async function load({ client, market }: Choice, length: number, since: number): Promise<Candle[]> {
    const now = clock();
    const { page, candles } = client.venue;
    const end = Math.floor(now / length) * length + length;
    const loaded: Candle[] = [];
    for (let from = Math.max(Math.ceil(since / length) * length, end - MAX_PAGES * page * length); from < end; from += page * length) {
      const to = Math.min(from + page * length, end);
      const rows = await client.ask(candles(market.id, { length, from, to }), 'candles');
      loaded.push(...rows.filter(({ time }) => time >= from && time < to));
    }
    return validCandles(loaded, length, now);
  }

  /** Returns the longest series of the markets, in their quote currencies. Rejects when none of them answers. */
  async function longest(choices: readonly Choice[], length: number, since: number): Promise<{ choice: Choice; candles: Candle[] }> {
    let best: { choice: Choice; candles: Candle[] } | undefined;
    const enough = since + SHORT * (clock() - since);
    for (const choice of choices) {
      const candles = await load(choice, length, since).catch(() => []);
      if (candles.length > (best?.candles.length ?? 0)) best = { choice, candles };
      if ((best?.candles[0]?.time ?? Number.POSITIVE_INFINITY) <= enough) break;
    }
    if (!best) throw nothingToShow();
    return best;
  }

  /** Candles of stablecoins, which convert those of many coins. */
  const rates = new Map<string, { from: number; until: number; candles: Promise<Candle[]> }>();

  async function keptDollarsFor(quote: string, length: number, since: number): Promise<Candle[]> {
    const key = `${quote} ${length}`;
    const kept = rates.get(key);
    if (kept && clock() < kept.until && kept.from <= since) return kept.candles;
    const candles = dollarsFor(quote, length, since);
    rates.set(key, { from: since, until: clock() + RATES_LIFE, candles });
    return candles;
  }

  async function dollarsFor(quote: string, length: number, since: number): Promise<Candle[]> {
    const { choices } = await choicesOf((market) => market.base === quote && market.quote === 'USD');
    if (choices.length === 0) return [];
    return longest(choices, length, since).then(
      ({ candles }) => candles,
      () => [],
    );
  }

  async function read(coinId: number, length: number, since: number): Promise<SourcedCandles | undefined> {
    const { choices, isUnsure } = await choicesOf(({ coin, quote }) => coin === coinId && QUOTES.includes(quote));
    if (choices.length === 0 && isUnsure) throw nothingToShow();
    if (choices.length === 0) return undefined;
    const { choice, candles } = await longest(choices, length, since);
    const { base, quote } = choice.market;
    const source = `${choice.client.venue.name} ${base}/${quote}`;
    if (quote === 'USD') return { source, candles };
    const dollars = await keptDollarsFor(quote, length, since);
    return dollars.length === 0 ? { source: `${source} at par`, candles } : { source, candles: converted(candles, dollars) };
  }

  return {
    dailyCandles: (coinId, since) => read(coinId, DAY, since),
    hourlyCandles: (coinId, since) => read(coinId, HOUR, since),
  };
}

/** Converts candles by the closing rate of the same time, or the last one before it; the first rate where there is none before. */
function converted(candles: readonly Candle[], rates: readonly Candle[]): Candle[] {
  let next = 0;
  let rate = rates[0]?.close ?? 1;
  return candles.map(({ time, open, high, low, close, volume }) => {
    for (let known = rates[next]; known && known.time <= time; known = rates[next]) {
      rate = known.close;
      next++;
    }
    return { time, open: open * rate, high: high * rate, low: low * rate, close: close * rate, volume };
  });
}
