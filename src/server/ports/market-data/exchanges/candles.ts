import { type Clock, DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { type Candle, validCandles } from '#domain/market/candles.ts';
import type { CoinCandles, SourcedCandles } from '../coin-candles.ts';
import { nothingToShow } from '../nothing-to-show.ts';
import type { KnownMarket, KnownMarkets } from './known-markets.ts';
import { isNear } from './median.ts';
import type { VenueClient } from './venue-client.ts';

/** Quote currencies of charts, the preferred one first: dollars need no conversion. */
const QUOTES = ['USD', 'USDT', 'USDC'];
/** Share of the wanted time that a series may lack at its start, before another exchange is asked for a longer one. */
const SHORT = 0.1;
/** How long the candles of a stablecoin are used again, ms. */
const RATES_LIFE = 10 * MINUTE;
/** Share by which the open candle may differ from the price of all exchanges: its last trade may be minutes old. */
const MAX_OFF = 0.1;
/** Pages of one series. Older candles are left out. */
const MAX_PAGES = 6;

/** Candles of `length` ms that opened from `since` to `now`, ms UTC. */
interface Span {
  length: number;
  since: number;
  now: number;
}

interface Choice {
  client: VenueClient;
  market: KnownMarket;
}

interface Parts {
  venues: readonly { client: VenueClient; markets: KnownMarkets }[];
  clock: Clock;
  /** Returns a coin's current price, USD; undefined if it is not known. */
  priceOf?: (coinId: number) => Promise<number | undefined>;
}

/** Reads candles from the exchange that trades a coin for dollars, or for a stablecoin, whose own candles convert them. */
export function createCoinCandles({ venues, clock, priceOf = async () => undefined }: Parts): CoinCandles {
  /** Returns the markets of a coin, the preferred one first, and whether an exchange gave none because it did not answer. */
  async function choicesOf(isWanted: (market: KnownMarket) => boolean): Promise<{ choices: Choice[]; isUnsure: boolean }> {
    const listed = await Promise.allSettled(
      venues.map(async ({ client, markets }) => [...(await markets.get()).values()].filter(isWanted).map((market) => ({ client, market }))),
    );
    const choices = listed.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    choices.sort((a, b) => QUOTES.indexOf(a.market.quote) - QUOTES.indexOf(b.market.quote));
    return { choices, isUnsure: listed.some(({ status }) => status === 'rejected') };
  }

  /** Candles of stablecoins, which convert those of many coins. */
  const rates = new Map<string, { from: number; until: number; candles: Promise<Candle[]> }>();

  async function keptDollarsFor(quote: string, span: Span): Promise<Candle[]> {
    const { length, since } = span;
    const key = `${quote} ${length}`;
    const kept = rates.get(key);
    if (kept && clock() < kept.until && kept.from <= since) return kept.candles;
    const candles = dollarsFor(quote, span);
    rates.set(key, { from: since, until: clock() + RATES_LIFE, candles });
    return candles;
  }

  async function dollarsFor(quote: string, span: Span): Promise<Candle[]> {
    const { choices } = await choicesOf((market) => market.base === quote && market.quote === 'USD');
    if (choices.length === 0) return [];
    return longest(choices, span, async (choice) => ({ candles: await load(choice, span) })).then(
      ({ candles }) => candles,
      () => [],
    );
  }

  async function read(coinId: number, span: Span): Promise<SourcedCandles | undefined> {
    const { choices, isUnsure } = await choicesOf(({ coin, quote }) => coin === coinId && QUOTES.includes(quote));
    if (choices.length === 0 && isUnsure) throw nothingToShow();
    if (choices.length === 0) return undefined;
    const price = await priceOf(coinId);
    return longest(choices, span, async (choice) => {
      const series = await inDollars(choice, span);
      return isAtPrice(series, price, span) ? series : undefined;
    });
  }

  async function inDollars(choice: Choice, span: Span): Promise<SourcedCandles> {
    const candles = await load(choice, span);
    const { base, quote } = choice.market;
    const source = `${choice.client.venue.name} ${base}/${quote}`;
    if (quote === 'USD') return { source, candles };
    const dollars = await keptDollarsFor(quote, span);
    return dollars.length === 0 ? { source: `${source} at par`, candles } : { source, candles: converted(candles, dollars) };
  }

  return {
    dailyCandles: (coinId, since) => read(coinId, { length: DAY, since, now: clock() }),
    hourlyCandles: (coinId, since) => read(coinId, { length: HOUR, since, now: clock() }),
  };
}

async function load({ client, market }: Choice, { length, since, now }: Span): Promise<Candle[]> {
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

/** Returns the longest series that the choices give. Rejects when none of them answers. */
async function longest<Series extends { candles: readonly Candle[] }>(
  choices: readonly Choice[],
  { since, now }: Span,
  read: (choice: Choice) => Promise<Series | undefined>,
): Promise<Series> {
  let best: Series | undefined;
  const enough = since + SHORT * (now - since);
  for (const choice of choices) {
    const series = await read(choice).catch(() => undefined);
    if (series && series.candles.length > (best?.candles.length ?? 0)) best = series;
    if ((best?.candles[0]?.time ?? Number.POSITIVE_INFINITY) <= enough) break;
  }
  if (!best) throw nothingToShow();
  return best;
}

/** Returns whether the open candle ends at the price of all exchanges: one exchange may be wrong, or mean another coin by a symbol. */
function isAtPrice({ candles }: SourcedCandles, price: number | undefined, { length, now }: Span): boolean {
  const last = candles.at(-1);
  const isOpen = last !== undefined && last.time + length > now;
  return !isOpen || price === undefined || isNear(last.close, price, MAX_OFF);
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
