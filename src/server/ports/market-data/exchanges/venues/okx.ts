import * as z from 'zod/mini';
import { DAY } from '#domain/clock.ts';
import { readRows } from '#server/ports/market-data/read-rows.ts';
import { code, figure, traded, type Venue } from '../venue.ts';
import { candleRow, readCandles } from './candle-rows.ts';

const envelope = z.object({ code: z.string() });
const answered = z.object({ data: z.array(z.unknown()) });
/** Too many requests of this address, or of all. */
const LIMITS = ['50011', '50013', '50061'];

const marketRow = z.object({ instId: code, baseCcy: code, quoteCcy: code, state: z.string() });
const tickerRow = z.object({ instId: code, last: figure, open24h: figure, vol24h: figure, ts: figure });

const dataOf = (answer: unknown): unknown[] => z.parse(answered, answer).data;

export const OKX: Venue = {
  id: 'okx',
  name: 'OKX',
  url: 'https://www.okx.com',
  ping: '/api/v5/public/time',
  addresses: (url) => ({ rest: url }),
  api: 'public',
  troubleOf(answer) {
    const told = z.safeParse(envelope, answer).data?.code ?? 'no envelope';
    if (told === '0') return undefined;
    return LIMITS.includes(told) ? 'limit' : 'failed';
  },
  markets: {
    path: 'public/instruments',
    params: { instType: 'SPOT' },
    read: (answer) =>
      readRows(dataOf(answer), marketRow)
        .rows.filter(({ state }) => state === 'live')
        .map(({ instId, baseCcy, quoteCcy }) => ({ id: instId, base: baseCcy, quote: quoteCcy })),
  },
  tickers: {
    path: 'market/tickers',
    params: { instType: 'SPOT' },
    read: (answer) =>
      traded(
        readRows(dataOf(answer), tickerRow).rows.map(({ instId, last, open24h, vol24h, ts }) => ({
          id: instId,
          price: last,
          open: open24h,
          volume: vol24h,
          at: ts,
        })),
      ),
  },
  page: 300,
  candles: (instId, { length, from, to }) => ({
    path: 'market/candles',
    // Both ends are outside of the answer. Without `utc`, days begin in Hong Kong.
    params: { instId, bar: length === DAY ? '1Dutc' : '1H', before: from - 1, after: to, limit: 300 },
    read: (answer) =>
      readCandles(dataOf(answer), candleRow, ([time, open, high, low, close, volume]) => ({ time, open, high, low, close, volume })),
  }),
};
