import * as z from 'zod/mini';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { validCandles } from '#domain/market/candles.ts';
import { parseResult, price, rowsOf, time, volume } from '../live/answers.ts';
import type { PageReader } from '../live/candle-pages.ts';
import { MARKET } from './market.ts';
import type { MarketConnections } from './protocol.ts';

/** Number of candles that the fast call returns; the history call returns older ones. */
const RECENT = 1000;
/** How often the exchange's time is read, because candles come without it, ms. */
const TIME_INTERVAL = 10 * MINUTE;

/** Newest first: time, prices, volume in contracts and in BTC. */
const candles = rowsOf(z.tuple([time, price, price, price, price, volume, volume], z.unknown()));

/** Returns OKX's name of a candle length. Without `utc`, its days begin in Hong Kong. */
function nameOf(length: number): string {
  if (length === DAY) return '1Dutc';
  return length < HOUR ? `${length / MINUTE}m` : `${length / HOUR}H`;
}

/** Creates the reader of OKX's candles, which also corrects the clock offset. */
export function createPageReader({ now, updateClock, public: { read } }: MarketConnections): PageReader {
  let timeReadAt = Number.NEGATIVE_INFINITY;

  async function syncClock(): Promise<void> {
    if (Math.abs(now() - timeReadAt) < TIME_INTERVAL) return;
    const { time } = await read('publicGetPublicTime', {});
    updateClock(time);
    timeReadAt = now();
  }

  return {
    size: 100,
    async read(length, { start, end, limit }) {
      await syncClock();
      const isRecent = start === undefined || start > now() - RECENT * length;
      const call = isRecent ? 'publicGetMarketCandles' : 'publicGetMarketHistoryCandles';
      // Both ends are outside of the page.
      const range = { ...(start !== undefined && { before: start - 1 }), ...(end !== undefined && { after: end + 1 }) };
      const rows = parseResult(candles, (await read(call, { ...MARKET, bar: nameOf(length), ...range, limit })).result);
      return validCandles(
        rows.map(([time, open, high, low, close, , volume]) => ({ time, open, high, low, close, volume })),
        length,
        now(),
      );
    },
  };
}
