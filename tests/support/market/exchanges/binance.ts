import { at, candlesOf, type Dialect, NOT_FOUND, priced, text } from './dialect.ts';
import type { FakeMarket } from './fake-exchange.ts';

/** Binance: spot REST API v3. */
export const binance: Dialect = (url, exchange) => {
  const { markets } = exchange;
  const query = url.searchParams;
  const idOf = ({ base, quote }: FakeMarket) => base + quote;
  if (url.pathname === '/api/v3/exchangeInfo')
    return {
      timezone: 'UTC',
      serverTime: exchange.now(),
      rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 }],
      symbols: markets
        .filter(({ isOpen = true }) => isOpen || query.get('symbolStatus') !== 'TRADING')
        .map((market) => ({
          symbol: idOf(market),
          status: (market.isOpen ?? true) ? 'TRADING' : 'BREAK',
          baseAsset: market.base,
          baseAssetPrecision: 8,
          quoteAsset: market.quote,
          isSpotTradingAllowed: true,
          filters: [{ filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000.00', tickSize: '0.01' }],
        })),
    };
  if (url.pathname === '/api/v3/ticker/24hr')
    return markets.map((market) => {
      const { last, open } = priced(market, exchange);
      return {
        symbol: idOf(market),
        openPrice: text(open),
        highPrice: text(last),
        lowPrice: text(last),
        lastPrice: text(last),
        volume: text(market.volume),
        quoteVolume: text(market.volume),
        openTime: at(market, exchange) - 86_400_000,
        closeTime: at(market, exchange),
        firstId: 1,
        lastId: 2,
        count: 2,
      };
    });
  if (url.pathname !== '/api/v3/klines') return NOT_FOUND;
  const market = markets.find((one) => idOf(one) === query.get('symbol'));
  const length = query.get('interval') === '1d' ? 86_400_000 : 3_600_000;
  if (!market) return { code: -1121, msg: 'Invalid symbol.' };
  return candlesOf(market, exchange, length, Number(query.get('startTime')), Number(query.get('endTime')))
    .slice(0, Number(query.get('limit')))
    .map(({ time, open, high, low, close }) => [
      time,
      ...[open, high, low, close].map(String),
      '12.5',
      time + length - 1,
      '1000.0',
      20,
      '6.0',
      '500.0',
      '0',
    ]);
};
