import type { ChartCandles, ChartPeriod, DailyCandle } from '#contract/market/chart-candles.ts';
import { type Clock, DAY, dayOf, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { KeptCandles } from '#server/ports/market-data/coin-candles.ts';
import { findCoin } from '#server/ports/market-data/find-coin.ts';
import {
  CANDLE_MS,
  type CandleInterval,
  type CoinSeries,
  type MarketData,
  type MarketSnapshot,
} from '#server/ports/market-data/market-data.ts';
import { memo } from '#server/ports/market-data/memo.ts';
import { withPrice } from '#server/ports/market-data/with-price.ts';
import { withDeadline } from '#server/with-deadline.ts';
import { type DayRow, listDays } from './day-store.ts';

/** What each period shows: candles of this length, from this long ago, ms. */
const PERIODS: Record<ChartPeriod, { interval: CandleInterval; span: number }> = {
  '1D': { interval: '1h', span: DAY },
  '7D': { interval: '1h', span: 7 * DAY },
  '1M': { interval: '1d', span: 30 * DAY },
  '3M': { interval: '1d', span: 90 * DAY },
  '1Y': { interval: '1d', span: 365 * DAY },
  ALL: { interval: '1d', span: Number.POSITIVE_INFINITY },
};

/** How long an answer waits for the provider, ms: the candles of later answers come from what it then has. */
const PATIENCE = 3 * SECOND;

export type Candles = ReturnType<typeof createCandles>;

interface Parts {
  db: Db;
  clock: Clock;
  market: MarketData;
  /** ms; tests shorten it. */
  patience?: number;
}

/**
 * Returns histories of coins: drawn by a simulated market, otherwise of exchanges, otherwise of prices recorded here. Candles without either are
 * missing.
 */
export function createCandles({ db, clock, market, patience = PATIENCE }: Parts) {
  const periodsOf = memo((_series: CoinSeries) => new Map<ChartPeriod, ChartCandles>());
  /** Series that end at the price of a snapshot. */
  const tradedAt = memo((_snapshot: MarketSnapshot) => new Map<KeptCandles, CoinSeries>());

  /** Returns undefined where the provider fails or is late. */
  const soon = <T>(ask: () => Promise<T> | undefined): Promise<T | undefined> =>
    withDeadline(patience, undefined, async () => ask()).catch(() => undefined);

  return {
    /** Returns undefined for a coin that the provider does not know. */
    async of(id: number, period: ChartPeriod): Promise<ChartCandles | undefined> {
      const { interval, span } = PERIODS[period];
      const series = market.drawn ? await market.drawn.candles(id, interval) : await real(id, interval);
      if (!series) return undefined;
      const periods = periodsOf(series);
      const candles = periods.get(period) ?? cut(series, span);
      periods.set(period, candles);
      return candles;
    },
  };

  async function real(id: number, interval: CandleInterval): Promise<CoinSeries | undefined> {
    const { history } = market;
    const [kept, snapshot] = await Promise.all([
      soon(() => (interval === '1d' ? history?.days(id) : history?.hours(id))),
      soon(() => market.snapshot()),
    ]);
    if (!kept) return recorded(id, interval, snapshot);
    if (!snapshot) return seriesOf(kept, CANDLE_MS[interval]);
    const all = tradedAt(snapshot);
    const price = snapshot.coins.find((coin) => coin.id === id)?.quote.USD.price ?? null;
    const series = all.get(kept) ?? seriesOf(kept, CANDLE_MS[interval], { ...snapshot.source, price });
    all.set(kept, series);
    return series;
  }

  async function recorded(id: number, interval: CandleInterval, snapshot: MarketSnapshot | undefined): Promise<CoinSeries | undefined> {
    const today = dayOf(snapshot ? Date.parse(snapshot.source.asOf) : clock());
    const days = interval === '1d' ? await listDays(db, id, today) : [];
    if (days.length === 0 && (await soon(() => findCoin(market, id))) === null) return undefined;
    const last = days.at(-1);
    const age = snapshot
      ? { asOf: snapshot.source.asOf, ...(snapshot.source.stale && { stale: true }) }
      : { asOf: new Date(last ? Date.parse(last.day) : clock()).toISOString(), stale: true };
    return {
      source: `${snapshot?.source.name ?? 'the market'}, recorded day by day`,
      interval: CANDLE_MS[interval],
      demo: false,
      ...age,
      candles: days.map(candleOf),
    };
  }
}

/** Returns candles of exchanges that end at the current price; stale ones as they were. */
function seriesOf(
  { source, candles, asOf, stale }: KeptCandles,
  interval: number,
  current?: { asOf: string; stale?: boolean | undefined; price: number | null },
): CoinSeries {
  const series = { source, interval, demo: false };
  if (stale || !current) return { ...series, candles, asOf: new Date(asOf).toISOString(), ...(stale && { stale }) };
  const open = Math.floor(Date.parse(current.asOf) / interval) * interval;
  const ended = current.price === null ? candles : endingAt(candles, current.price, { open, interval });
  return { ...series, candles: ended, asOf: current.asOf, ...(current.stale && { stale: true }) };
}

/** Ends candles at a price of the candle that opened at `open`, in which the exchange may not have a trade yet. */
function endingAt(
  candles: readonly DailyCandle[],
  price: number,
  { open, interval }: { open: number; interval: number },
): readonly DailyCandle[] {
  const last = candles.at(-1);
  if (last?.time === open) return [...candles.slice(0, -1), withPrice(last, price)];
  if (last?.time !== open - interval) return candles;
  const { close } = last;
  return [...candles, withPrice({ time: open, open: close, high: close, low: close, close, volume: null }, price)];
}

/** Returns the candles that end within the last `span` ms. */
function cut(series: CoinSeries, span: number): ChartCandles {
  const begin = Date.parse(series.asOf) - span;
  return { ...series, candles: series.candles.filter(({ time }) => time + series.interval > begin) };
}

const candleOf = ({ day, open, high, low, close }: DayRow) => ({ time: Date.parse(day), open, high, low, close, volume: null });
