import { candlesOf, type Dialect, priced, text } from './dialect.ts';
import type { FakeMarket } from './fake-exchange.ts';

/** Codes that Kraken has of its own, in lists and with its older prefixes. */
const KRAKEN_CODES: Record<string, string> = { BTC: 'XBT', DOGE: 'XDG' };
const KRAKEN_PREFIXED = new Set(['BTC', 'DOGE', 'ETH', 'LTC', 'XRP', 'XLM', 'XMR', 'ZEC', 'ETC']);
const KRAKEN_FIAT = new Set(['USD', 'EUR', 'GBP', 'CAD', 'JPY', 'AUD']);

/** Kraken: spot REST API, version 0. */
export const kraken: Dialect = (url, exchange) => {
  const { markets } = exchange;
  const codeOf = (common: string) => KRAKEN_CODES[common] ?? common;
  const longOf = (common: string) =>
    KRAKEN_FIAT.has(common) ? `Z${common}` : KRAKEN_PREFIXED.has(common) ? `X${codeOf(common)}` : codeOf(common);
  const isLong = ({ base, quote }: FakeMarket) => KRAKEN_PREFIXED.has(base) && KRAKEN_FIAT.has(quote);
  const idOf = (market: FakeMarket) =>
    isLong(market) ? longOf(market.base) + longOf(market.quote) : codeOf(market.base) + codeOf(market.quote);
  const result = (rows: [string, unknown][]) => ({ error: [], result: Object.fromEntries(rows) });

  if (url.pathname === '/0/public/AssetPairs')
    return result(
      markets.map((market) => [
        idOf(market),
        {
          altname: codeOf(market.base) + codeOf(market.quote),
          wsname: `${codeOf(market.base)}/${codeOf(market.quote)}`,
          aclass_base: 'currency',
          base: longOf(market.base),
          aclass_quote: 'currency',
          quote: longOf(market.quote),
          lot: 'unit',
          pair_decimals: 1,
          status: (market.isOpen ?? true) ? 'online' : 'cancel_only',
        },
      ]),
    );
  if (url.pathname === '/0/public/Ticker')
    return result(
      markets.map((market) => {
        const { last, open } = priced(market, exchange);
        const price = text(last);
        const volume = text(market.volume);
        return [
          idOf(market),
          {
            a: [price, '1', '1.000'],
            b: [price, '1', '1.000'],
            c: [price, '0.01'],
            v: [volume, volume],
            p: [price, price],
            t: [10, 20],
            l: [price, price],
            h: [price, price],
            o: text(open),
          },
        ];
      }),
    );
  const market = markets.find((one) => idOf(one) === url.searchParams.get('pair'));
  if (url.pathname !== '/0/public/OHLC' || !market) return { error: ['EQuery:Unknown asset pair'] };
  const length = Number(url.searchParams.get('interval')) * 60_000;
  const rows = candlesOf(market, exchange, length, (Number(url.searchParams.get('since')) + 1) * 1000, exchange.now()).slice(-720);
  return {
    error: [],
    result: {
      [idOf(market)]: rows.map(({ time, open, high, low, close }) => [
        time / 1000,
        ...[open, high, low, close, close].map(String),
        '12.5',
        30,
      ]),
      last: (rows.at(-1)?.time ?? 0) / 1000,
    },
  };
};
