import type { DailyCandles } from '#contract/market/market.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { type Candle, foldToDays } from '#domain/market/candles.ts';
import type { Db } from '#server/db/open.ts';
import { findCoin } from '#server/ports/market-data/find-coin.ts';
import type { CandleSeries, MarketData } from '#server/ports/market-data/market-data.ts';
import { type DayRow, listDays } from './day-store.ts';

const BTC = 1;

export type Candles = ReturnType<typeof createCandles>;

/** Returns daily histories of coins: those of exchanges, or else the provider's, followed by prices recorded here. Days without either are missing. */
export function createCandles({ db, market }: { db: Db; market: MarketData }) {
  /** Cached per series object. */
  const folded = new WeakMap<CandleSeries, Candle[]>();

  function daysOf(series: CandleSeries): Candle[] {
    const days = folded.get(series) ?? (series.current ? foldToDays(series.candles) : wholeDays(series.candles));
    folded.set(series, days);
    return days;
  }

  return {
    /** Returns undefined for a coin that the provider does not know. */
    async daily(id: number): Promise<DailyCandles | undefined> {
      // While no exchange answers, recorded prices show.
      const traded = await market.candles?.dailyCandles(id, 0).catch(() => undefined);
      if (traded) return { source: traded.source, candles: [...traded.candles] };
      const [recorded, series] = await Promise.all([listDays(db, id), id === BTC ? market.btcCandles() : undefined]);
      if (!series && recorded.length === 0 && (await findCoin(market, id)) === null) return undefined;
      const given = series ? daysOf(series) : [];
      const end = series?.current ? Number.POSITIVE_INFINITY : (given.at(-1)?.time ?? Number.NEGATIVE_INFINITY);
      const seen = recorded.map(candleOf).filter(({ time }) => time > end);
      const sources = [...(series ? [series.source] : []), ...(seen.length > 0 || !series ? [await recorder()] : [])];
      return { source: sources.join(', then '), candles: [...given, ...seen] };
    },
  };

  /** Returns the name of the source of recorded prices. */
  async function recorder(): Promise<string> {
    const name = await market.snapshot().then(
      ({ source }) => source.name,
      () => 'the market',
    );
    return `${name}, recorded day by day`;
  }
}

/** Folds hourly candles into complete UTC days, oldest first. */
export function wholeDays(hours: readonly Candle[]): Candle[] {
  const days = foldToDays(hours);
  const over = ((hours.at(-1)?.time ?? 0) + HOUR) % DAY === 0;
  return over ? days : days.slice(0, -1);
}

const candleOf = ({ day, open, high, low, close }: DayRow) => ({ time: Date.parse(day), open, high, low, close, volume: null });
