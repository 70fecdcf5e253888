import { DAY, HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CandleFeed } from '../exchange.ts';

/** Hourly candles for the market's changes, which go back 90 days. */
const HOURS = (91 * DAY) / HOUR;

/** Creates the prices of the last 91 days from hourly candles; `current` gives those that the open candle covers. */
export function createHourlyPrices({ now, candles }: Pick<CandleFeed, 'now' | 'candles'>, current: () => number) {
  let hours: readonly Candle[] = [];

  return {
    /** Loads the candles, unless the known ones are current. */
    async load(): Promise<void> {
      const open = Math.floor(now() / HOUR) * HOUR;
      if (hours.at(-1)?.time !== open) hours = await candles(HOUR, HOURS);
    },

    /** Returns the price at a time, ms, in USD. */
    priceAt(time: number): number {
      const first = hours[0];
      const passed = first ? (time - first.time) / HOUR : Number.POSITIVE_INFINITY;
      const hour = hours[Math.floor(Math.max(passed, 0))];
      if (!hour || hour === hours.at(-1)) return current();
      return passed < 0 ? hour.open : hour.open + (hour.close - hour.open) * (passed - Math.floor(passed));
    },
  };
}
