import type { DailyCandles } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';

const FIRST = Date.UTC(2023, 0, 1);

/** Creates a history that rises by $1 a day, from $100 on January 1, 2023. */
export const dailyCandles = (count: number): DailyCandles => ({
  source: 'Made up for tests',
  candles: Array.from({ length: count }, (_, at) => ({
    time: FIRST + at * DAY,
    open: 99 + at,
    high: 105 + at,
    low: 95 + at,
    close: 100 + at,
    volume: at % 2 === 0 ? 1000 + at : null,
  })),
});
