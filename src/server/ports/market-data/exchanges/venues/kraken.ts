import * as z from 'zod/mini';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { readRows } from '#server/ports/market-data/read-rows.ts';
import { code, figure, traded, type Venue } from '../venue.ts';
import { candleRow, readCandles } from './candle-rows.ts';

const envelope = z.object({ error: z.array(z.string()) });
const answered = z.object({ result: z.record(z.string(), z.unknown()) });

/** `wsname` has readable codes, such as XBT/USD; the key has those with prefixes, such as XXBTZUSD. */
const pairRow = z.object({
  id: code,
  wsname: z.string().check(z.regex(/^[\w.]{1,20}\/[\w.]{1,20}$/)),
  status: z._default(z.string(), 'online'),
  aclass_base: z._default(z.string(), 'currency'),
});
/** The last trade, and volumes of today and of 24 hours. The opening price is that of today, so no price of 24 hours ago is known. */
const tickerRow = z.object({
  id: code,
  c: z.tuple([figure], z.unknown()),
  v: z.tuple([figure, figure], z.unknown()),
});

/** Returns the entries of a result, which is keyed by pair. */
const entriesOf = (answer: unknown): object[] =>
  Object.entries(z.parse(answered, answer).result).map(([id, entry]) => ({ ...(entry as object), id }));

/** Returns the candles, which are beside the time of the last one. */
const rowsOf = (answer: unknown): unknown => Object.values(z.parse(answered, answer).result).find(Array.isArray);

export const KRAKEN: Venue = {
  id: 'kraken',
  name: 'Kraken',
  url: 'https://api.kraken.com',
  ping: '/0/public/Time',
  addresses: (url) => ({ public: url }),
  api: 'public',
  troubleOf(answer) {
    const [error] = z.safeParse(envelope, answer).data?.error ?? ['no envelope'];
    if (error === undefined) return undefined;
    return /rate limit|too many requests|lockout/i.test(error) ? 'limit' : 'failed';
  },
  markets: {
    path: 'AssetPairs',
    params: {},
    read: (answer) =>
      readRows(entriesOf(answer), pairRow)
        .rows.filter(({ status, aclass_base }) => status === 'online' && aclass_base === 'currency')
        .map(({ id, wsname }) => {
          const [base = '', quote = ''] = wsname.split('/');
          return { id, base, quote };
        }),
  },
  tickers: {
    path: 'Ticker',
    params: {},
    read: (answer) =>
      traded(readRows(entriesOf(answer), tickerRow).rows.map(({ id, c: [price], v: [, volume] }) => ({ id, price, open: null, volume }))),
  },
  page: 720,
  candles: (pair, { length, from }) => ({
    path: 'OHLC',
    // `since` is outside of the answer, which always reaches the present.
    params: { pair, interval: length / MINUTE, since: from / SECOND - 1 },
    read: (answer) =>
      readCandles(rowsOf(answer), candleRow, ([time, open, high, low, close, , volume]) => ({
        time: time * SECOND,
        open,
        high,
        low,
        close,
        volume: Number(volume) || 0,
      })),
  }),
};
