import type { ChartCandles, ChartPeriod } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { findCoin } from '#server/ports/market-data/find-coin.ts';
import { CANDLE_MS, type CandleInterval, type CoinSeries, type MarketData } from '#server/ports/market-data/market-data.ts';
import { memo } from '#server/ports/market-data/memo.ts';
import { withPrice } from '#server/ports/market-data/with-price.ts';
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

export type Candles = ReturnType<typeof createCandles>;

/**
 * Returns histories of coins: drawn by a simulated market, otherwise of exchanges, otherwise of prices recorded here. Candles without either are
 * missing.
 */
export function createCandles({ db, market }: { db: Db; market: MarketData }) {
  const periodsOf = memo((_series: CoinSeries) => new Map<ChartPeriod, ChartCandles>());

  return {
    /** Returns undefined for a coin that the provider does not know. */
    async of(id: number, period: ChartPeriod): Promise<ChartCandles | undefined> {
      const { interval, span } = PERIODS[period];
      const series = market.drawn
        ? await market.drawn.candles(id, interval)
        : ((await traded(id, interval)) ?? (await recorded(id, interval)));
      if (!series) return undefined;
      const periods = periodsOf(series);
      const candles = periods.get(period) ?? cut(series, span);
      periods.set(period, candles);
      return candles;
    },
  };

  /** Returns candles of exchanges; undefined while none answers, and for coins that none trades. */
  async function traded(id: number, interval: CandleInterval): Promise<CoinSeries | undefined> {
    const load = interval === '1d' ? market.candles?.dailyCandles : market.candles?.hourlyCandles;
    const given = await load?.(id, 0).catch(() => undefined);
    const snapshot = given && (await market.snapshot().catch(() => undefined));
    if (!given || !snapshot) return undefined;
    const { asOf } = snapshot.source;
    const length = CANDLE_MS[interval];
    const price = snapshot.coins.find((coin) => coin.id === id)?.quote.USD.price ?? null;
    const open = given.candles.at(-1);
    // The candles are kept until the next one closes; the price is newer.
    const isOpen = open !== undefined && open.time + length > Date.parse(asOf);
    const candles = isOpen && price !== null ? [...given.candles.slice(0, -1), withPrice(open, price)] : [...given.candles];
    return { source: given.source, candles, interval: length, demo: false, asOf };
  }

  async function recorded(id: number, interval: CandleInterval): Promise<CoinSeries | undefined> {
    const days = interval === '1d' ? await listDays(db, id) : [];
    if (days.length === 0 && (await findCoin(market, id)) === null) return undefined;
    const { name, asOf } = await market.snapshot().then(
      ({ source }) => source,
      () => ({ name: 'the market', asOf: new Date(0).toISOString() }),
    );
    return {
      source: `${name}, recorded day by day`,
      interval: CANDLE_MS[interval],
      demo: false,
      asOf,
      candles: days.map(candleOf),
    };
  }
}

/** Returns the candles that end within the last `span` ms. */
function cut(series: CoinSeries, span: number): ChartCandles {
  const begin = Date.parse(series.asOf) - span;
  return { ...series, candles: series.candles.filter(({ time }) => time + series.interval > begin) };
}

const candleOf = ({ day, open, high, low, close }: DayRow) => ({ time: Date.parse(day), open, high, low, close, volume: null });
