import * as z from 'zod/mini';
import { DAY } from '#domain/clock.ts';
import { readRows } from '#server/ports/market-data/read-rows.ts';
import { code, figure, traded, type Venue } from '../venue.ts';
import { candleRow, readCandles } from './candle-rows.ts';

const exchangeInfo = z.object({ symbols: z.array(z.unknown()) });
const marketRow = z.object({
  symbol: code,
  status: z.string(),
  baseAsset: code,
  quoteAsset: code,
  isSpotTradingAllowed: z._default(z.boolean(), true),
});
const tickerRow = z.object({ symbol: code, lastPrice: figure, openPrice: figure, volume: figure, closeTime: figure });

export const BINANCE: Venue = {
  id: 'binance',
  name: 'Binance',
  // Serves public market data only, also where api.binance.com refuses a country.
  url: 'https://data-api.binance.vision',
  ping: '/api/v3/ping',
  addresses: (url) => ({ public: `${url}/api/v3` }),
  api: 'public',
  markets: {
    path: 'exchangeInfo',
    // Without the permissions, the answer is a fifth as long.
    params: { symbolStatus: 'TRADING', showPermissionSets: 'false' },
    read: (answer) =>
      readRows(z.parse(exchangeInfo, answer).symbols, marketRow)
        .rows.filter(({ status, isSpotTradingAllowed }) => status === 'TRADING' && isSpotTradingAllowed)
        .map(({ symbol, baseAsset, quoteAsset }) => ({ id: symbol, base: baseAsset, quote: quoteAsset })),
  },
  tickers: {
    path: 'ticker/24hr',
    params: { type: 'MINI', symbolStatus: 'TRADING' },
    read: (answer) =>
      traded(
        readRows(answer, tickerRow).rows.map(({ symbol, lastPrice, openPrice, volume, closeTime }) => ({
          id: symbol,
          price: lastPrice,
          open: openPrice,
          volume,
          at: closeTime,
        })),
      ),
  },
  page: 1000,
  candles: (symbol, { length, from, to }) => ({
    path: 'klines',
    params: { symbol, interval: length === DAY ? '1d' : '1h', startTime: from, endTime: to - 1, limit: 1000 },
    read: (answer) =>
      readCandles(answer, candleRow, ([time, open, high, low, close, volume]) => ({ time, open, high, low, close, volume })),
  }),
};
