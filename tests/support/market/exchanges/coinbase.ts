import { candlesOf, type Dialect, NOT_FOUND, priced, text } from './dialect.ts';
import type { FakeMarket } from './fake-exchange.ts';

/** Coinbase: Advanced Trade API, its public part. */
export const coinbase: Dialect = (url, exchange) => {
  const { markets } = exchange;
  const idOf = ({ base, quote }: FakeMarket) => `${base}-${quote}`;
  if (url.pathname === '/api/v3/brokerage/market/products')
    return {
      products: markets.map((market) => {
        const { last, open } = priced(market, exchange);
        return {
          product_id: idOf(market),
          price: text(last) ?? '',
          price_percentage_change_24h: last === null || open === null ? '' : String((last / open - 1) * 100),
          volume_24h: text(market.volume) ?? '',
          volume_percentage_change_24h: '',
          base_currency_id: market.base,
          quote_currency_id: market.quote,
          base_name: market.base,
          quote_name: market.quote,
          watched: false,
          is_disabled: !(market.isOpen ?? true),
          new: false,
          status: (market.isOpen ?? true) ? 'online' : 'delisted',
          cancel_only: false,
          limit_only: false,
          post_only: false,
          trading_disabled: !(market.isOpen ?? true),
          auction_mode: false,
          product_type: 'SPOT',
          alias: '',
          alias_to: market.quote === 'USD' ? [`${market.base}-USDC`] : [],
          view_only: false,
        };
      }),
      num_products: markets.length,
    };
  const [, id] = /^\/api\/v3\/brokerage\/market\/products\/([\w-]+)\/candles$/.exec(url.pathname) ?? [];
  const market = markets.find((one) => idOf(one) === id);
  if (!market) return NOT_FOUND;
  const query = url.searchParams;
  const length = query.get('granularity') === 'ONE_DAY' ? 86_400_000 : 3_600_000;
  const rows = candlesOf(market, exchange, length, Number(query.get('start')) * 1000, Number(query.get('end')) * 1000);
  if (rows.length > 350)
    return {
      error: 'INVALID_ARGUMENT',
      message: 'start and end argument is invalid - number of candles requested should be less than 350',
    };
  return {
    candles: rows.reverse().map(({ time, open, high, low, close }) => ({
      start: String(time / 1000),
      low: String(low),
      high: String(high),
      open: String(open),
      close: String(close),
      volume: '12.5',
    })),
  };
};
