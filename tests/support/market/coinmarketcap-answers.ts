import type { RawCoin, World } from './coinmarketcap-world.ts';

export const CMC_KEY = 'b54bcf4d-1bca-4e8e-9a24-22ff2c3d462c';
/** Credits for a call of 100 coins. */
const CREDITS = 1;

/** An answer in the provider's envelope. */
export interface Body {
  status: Record<string, unknown>;
  data: unknown;
}

export interface Answer {
  status: number;
  body: Body;
}

/** Returns the answer of a healthy provider whose clock shows `time`, ms UTC. */
export function answerOf(url: URL, apiKey: unknown, world: World, time: number): Answer {
  const found = apiKey === CMC_KEY ? findData(url, world) : new Refusal(401, 1001, 'This API Key is invalid.');
  const isRefusal = found instanceof Refusal;
  const status = {
    timestamp: new Date(time).toISOString(),
    error_code: isRefusal ? found.code : 0,
    error_message: isRefusal ? found.message : null,
    elapsed: 1,
    credit_count: isRefusal ? 0 : CREDITS,
    notice: null,
  };
  return { status: isRefusal ? found.status : 200, body: { status, data: isRefusal ? undefined : found } };
}

class Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;

  constructor(status: number, code: number, message: string) {
    this.status = status;
    this.code = code;
    this.message = message;
  }
}

function findData(url: URL, { coins, info }: World): object {
  const asked = (name: string) => url.searchParams.get(name);
  const convert = asked('convert') ?? 'USD';
  if (convert.includes(',')) return new Refusal(400, 1000, 'Your plan is limited to 1 convert options');
  const start = Number(asked('start') ?? 1) - 1;
  const limit = Number(asked('limit') ?? 100);
  const page = <T>(list: T[]) => list.slice(start, start + limit);
  const priced = (list: RawCoin[]) => page(list).map((coin) => inCurrency(coin, convert, coins));
  const byDate = [...coins].sort((a, b) => (a.date_added < b.date_added ? 1 : -1));
  const byCap = [...coins].sort((a, b) => b.quote.USD.market_cap - a.quote.USD.market_cap);
  const ids = (asked('id') ?? '').split(',').slice(0, 100);
  /** Known ids among the requested ones. Like the provider, it refuses a call without any. */
  const named = (shown: (coin: RawCoin) => unknown): object => {
    const found = coins.filter((coin) => ids.includes(String(coin.id)));
    if (found.length === 0) return new Refusal(400, 400, `Invalid value for "id": "${ids}"`);
    return Object.fromEntries(found.map((coin) => [coin.id, shown(coin)]));
  };
  switch (url.pathname.replace(/^\/v[12]\/cryptocurrency/, '')) {
    case '/listings/latest':
      return priced(asked('sort') === 'date_added' ? byDate : byCap);
    case '/trending/latest':
      return priced(byCap.filter((_, index) => index % 3 === 2));
    case '/trending/most-visited':
      return priced(byCap.toReversed());
    case '/map':
      return page<object>(asked('listing_status') === 'active' ? coins.map(mapped) : UNTRACKED);
    case '/info':
      return named(({ id }) => info[id] ?? { id, urls: {} });
    case '/quotes/latest':
      return named((coin) => inCurrency(coin, convert, coins));
    default:
      return new Refusal(404, 404, 'Not Found');
  }
}

/** Coins that the provider knows and does not track. Coin 7002 never had a price. */
const UNTRACKED = [
  { id: 7001, name: 'Gone', symbol: 'GONE', rank: null, first_historical_data: '2016-01-01T00:00:00.000Z' },
  { id: 7002, name: 'Soon', symbol: 'SOON', rank: null, first_historical_data: null },
  { id: 7003, name: 'Later', symbol: 'LATER', rank: null, first_historical_data: null },
];

const mapped = ({ id, name, symbol, slug, cmc_rank }: RawCoin) => ({
  id,
  name,
  symbol,
  slug,
  rank: cmc_rank,
  first_historical_data: '2013-04-28T18:47:21.000Z',
});

function inCurrency(coin: RawCoin, convert: string, coins: RawCoin[]): RawCoin {
  if (convert === 'USD') return coin;
  const bitcoin = coins.find(({ id }) => id === 1)?.quote.USD.price ?? 1;
  const money = ['price', 'market_cap', 'volume_24h', 'fully_diluted_market_cap'];
  const quote = Object.fromEntries(
    Object.entries(coin.quote.USD).map(([name, value]) => [
      name,
      money.includes(name) && typeof value === 'number' ? value / bitcoin : value,
    ]),
  );
  return { ...coin, quote: { [convert]: quote } } as unknown as RawCoin;
}
