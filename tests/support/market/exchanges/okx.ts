import { at, candlesOf, type Dialect, priced, text } from './dialect.ts';
import type { FakeMarket } from './fake-exchange.ts';

/** OKX: REST API, version 5. */
export const okx: Dialect = (url, exchange) => {
  const { markets } = exchange;
  const query = url.searchParams;
  const idOf = ({ base, quote }: FakeMarket) => `${base}-${quote}`;
  const result = (data: unknown[]) => ({ code: '0', msg: '', data });
  if (query.get('instType') !== 'SPOT' && !query.has('instId')) return { code: '51000', msg: 'Parameter instType error', data: [] };
  if (url.pathname === '/api/v5/public/instruments')
    return result(
      markets.map((market) => ({
        instType: 'SPOT',
        instId: idOf(market),
        baseCcy: market.base,
        quoteCcy: market.quote,
        state: (market.isOpen ?? true) ? 'live' : 'suspend',
        tickSz: '0.1',
        lotSz: '0.00000001',
      })),
    );
  if (url.pathname === '/api/v5/market/tickers')
    return result(
      markets.map((market) => {
        const { last, open } = priced(market, exchange);
        return {
          instType: 'SPOT',
          instId: idOf(market),
          last: text(last) ?? '',
          lastSz: '0.1',
          askPx: text(last) ?? '',
          bidPx: text(last) ?? '',
          open24h: text(open) ?? '',
          high24h: text(last) ?? '',
          low24h: text(last) ?? '',
          volCcy24h: text(market.volume) ?? '',
          vol24h: text(market.volume) ?? '',
          sodUtc0: text(open) ?? '',
          sodUtc8: text(open) ?? '',
          ts: String(at(market, exchange)),
        };
      }),
    );
  const market = markets.find((one) => idOf(one) === query.get('instId'));
  if (url.pathname !== '/api/v5/market/candles' || !market) return { code: '51001', msg: "Instrument ID doesn't exist", data: [] };
  const length = query.get('bar') === '1Dutc' ? 86_400_000 : 3_600_000;
  return result(
    candlesOf(market, exchange, length, Number(query.get('before')) + 1, Number(query.get('after')) - 1)
      .reverse()
      .slice(0, Math.min(300, Number(query.get('limit') ?? 100)))
      .map(({ time, open, high, low, close }) => [String(time), ...[open, high, low, close].map(String), '12.5', '1000', '1000', '1']),
  );
};
