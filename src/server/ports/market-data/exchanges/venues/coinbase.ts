import * as z from 'zod/mini';
import { DAY, SECOND } from '#domain/clock.ts';
import { readRows } from '#server/ports/market-data/read-rows.ts';
import { code, figure, traded, type Venue } from '../venue.ts';
import { price, readCandles, time, volume } from './candle-rows.ts';

const PRODUCTS = 'brokerage/market/products';
const CALL = { path: PRODUCTS, params: { product_type: 'SPOT' } } as const;

const flag = z._default(z.nullable(z.boolean()), false);
const listing = z.object({ products: z.array(z.unknown()) });
const product = z.object({
  product_id: code,
  base_currency_id: code,
  quote_currency_id: code,
  price: figure,
  price_percentage_change_24h: figure,
  volume_24h: figure,
  status: z._default(z.nullable(z.string()), null),
  is_disabled: flag,
  trading_disabled: flag,
  view_only: flag,
  alias: z._default(z.nullable(z.string()), null),
});
type Product = z.output<typeof product>;

/** An alias shows the order book of another product, such as BTC-USDC that of BTC-USD: its volume would count twice. */
const isOpen = ({ status, is_disabled, trading_disabled, view_only, alias }: Product): boolean =>
  !is_disabled && !trading_disabled && !view_only && !alias && (status === null || status === '' || status === 'online');

const openProducts = (answer: unknown): Product[] => readRows(z.parse(listing, answer).products, product).rows.filter(isOpen);

const before = (now: number | null, change: number | null): number | null =>
  now === null || change === null || change <= -100 ? null : now / (1 + change / 100);

const candles = z.object({ candles: z.array(z.unknown()) });
const candle = z.object({ start: time, open: price, high: price, low: price, close: price, volume });

export const COINBASE: Venue = {
  id: 'coinbase',
  name: 'Coinbase',
  url: 'https://api.coinbase.com',
  ping: '/api/v3/brokerage/time',
  addresses: (url) => ({ rest: url }),
  api: ['v3', 'public'],
  markets: {
    ...CALL,
    read: (answer) =>
      openProducts(answer).map(({ product_id, base_currency_id, quote_currency_id }) => ({
        id: product_id,
        base: base_currency_id,
        quote: quote_currency_id,
      })),
  },
  tickers: {
    ...CALL,
    read: (answer) =>
      traded(
        openProducts(answer).map(({ product_id, price: last, price_percentage_change_24h, volume_24h }) => ({
          id: product_id,
          price: last,
          open: before(last, price_percentage_change_24h),
          volume: volume_24h,
        })),
      ),
  },
  page: 350,
  candles: (id, { length, from, to }) => ({
    path: `${PRODUCTS}/{product_id}/candles`,
    params: {
      product_id: id,
      granularity: length === DAY ? 'ONE_DAY' : 'ONE_HOUR',
      start: from / SECOND,
      end: to / SECOND - 1,
      limit: 350,
    },
    read: (answer) => readCandles(z.parse(candles, answer).candles, candle, ({ start, ...rest }) => ({ time: start * SECOND, ...rest })),
  }),
};
