import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Recorded answers of the provider, outside of the repository. Tests that need them are skipped without them. */
const RECORDED = '/work/shared/data/market';
export const hasRecorded = existsSync(RECORDED);

export const CMC_KEY = 'b54bcf4d-1bca-4e8e-9a24-22ff2c3d462c';
/** Credits for a call of 100 coins. */
const CREDITS = 1;

/** An entry as the provider sends it, loosely typed because tests break it. */
export type RawCoin = Record<string, unknown> & { id: number; name: string; symbol: string; date_added: string; quote: { USD: RawQuote } };
type RawQuote = Record<string, unknown> & { price: number; market_cap: number };
type RawInfo = Record<string, unknown>;

export interface World {
  coins: RawCoin[];
  info: Record<string, RawInfo>;
}

const figures = (price: number, cap: number, change: number) => ({
  price,
  market_cap: cap,
  volume_24h: cap / 20,
  volume_change_24h: change * 2,
  fully_diluted_market_cap: cap * 1.1,
  percent_change_1h: change / 24,
  percent_change_24h: change,
  percent_change_7d: change * 2,
  percent_change_30d: change * 3,
  percent_change_60d: change * 4,
  percent_change_90d: change * 5,
});

/** Creates 150 coins in the provider's format. Coin 1 is Bitcoin, and some have odd names. */
export function madeUpWorld(): World {
  const odd: Record<number, [name: string, symbol: string]> = {
    1: ['Bitcoin', 'BTC'],
    2: ['<img src=x onerror=alert(1)>', 'IMG'],
    3: ['עברית\u202e gnp.exe', 'RTL'],
  };
  const coins = Array.from({ length: 150 }, (_, index): RawCoin => {
    const id = index + 1;
    const [name, symbol] = odd[id] ?? [`Coin ${id}`, `C${id}`];
    return {
      id,
      name,
      symbol,
      slug: `coin-${id}`,
      cmc_rank: id,
      date_added: new Date(Date.UTC(2015, 0, 1) + ((id * 7919) % 3000) * 86_400_000).toISOString(),
      circulating_supply: 1e6 * id,
      total_supply: 2e6 * id,
      max_supply: id % 3 === 0 ? null : 3e6 * id,
      tags: id % 4 === 1 ? ['layer-1', 'smart-contracts'] : ['defi'],
      quote: { USD: figures(90_000 / id ** 2, 2e12 / id ** 2, ((id * 37) % 41) - 20) },
    };
  });
  return {
    coins,
    info: {
      1: {
        id: 1,
        tags: ['mineable', 'layer-1'],
        'tag-names': ['Mineable', 'Layer 1'],
        urls: {
          website: ['https://bitcoin.org/'],
          technical_doc: ['https://bitcoin.org/bitcoin.pdf'],
          reddit: ['https://reddit.com/r/bitcoin'],
          source_code: ['https://github.com/bitcoin/bitcoin'],
          explorer: ['https://blockchain.info/', 'https://blockchair.com/bitcoin'],
        },
      },
      2: {
        id: 2,
        tags: null,
        urls: {
          website: ['javascript:alert(1)', 'https://img.example/'],
          technical_doc: [],
          reddit: null,
          source_code: ['not an address'],
        },
      },
    },
  };
}

/** The provider's recorded answers of February 21, 2025. */
export function recordedWorld(): World {
  const read = (name: string) => JSON.parse(readFileSync(`${RECORDED}/${name}`, 'utf8')).data;
  return { coins: read('cmc_listings_latest_2025-02-21_top100.json'), info: read('cmc_info_sample.json') };
}

/** Replaces an answer; `undefined` keeps it. */
export type Trouble = (path: string, healthy: Body) => Reply | undefined | 'silence';
interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent as it is. */
  body: unknown;
}
interface Body {
  status: Record<string, unknown>;
  data: unknown;
}

export interface FakeCoinMarketCap {
  readonly url: string;
  /** Path and query of every call. */
  readonly calls: URL[];
  /** Counts the calls of a path, optionally in one currency. */
  count(path: string, convert?: string): number;
  world: World;
  trouble: Trouble | undefined;
  /** `status.timestamp` of the answers, in ms UTC. */
  time: number;
  close(): Promise<void>;
}

/** Starts a fake of CoinMarketCap's API that enforces its plan limits and input checks. */
export async function startCoinMarketCap(world: World, time: number): Promise<FakeCoinMarketCap> {
  const calls: URL[] = [];
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  const fake: FakeCoinMarketCap = {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    count: (path, convert) =>
      calls.filter((url) => url.pathname.endsWith(path) && (!convert || url.searchParams.get('convert') === convert)).length,
    world,
    trouble: undefined,
    time,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  const body = (data: unknown, extra: object = {}): Body => ({
    status: {
      timestamp: new Date(fake.time).toISOString(),
      error_code: 0,
      error_message: null,
      elapsed: 1,
      credit_count: CREDITS,
      notice: null,
      ...extra,
    },
    data,
  });
  const refusal = (status: number, code: number, message: string): Reply => ({
    status,
    body: body(undefined, { error_code: code, error_message: message, credit_count: 0 }),
  });

  function healthy(url: URL): Reply {
    const { coins, info } = fake.world;
    const asked = (name: string) => url.searchParams.get(name);
    const convert = asked('convert') ?? 'USD';
    if (convert.includes(',')) return refusal(400, 1000, 'Your plan is limited to 1 convert options');
    const start = Number(asked('start') ?? 1) - 1;
    const limit = Number(asked('limit') ?? 100);
    const page = <T>(list: T[]) => list.slice(start, start + limit);
    const priced = (list: RawCoin[]) => page(list).map((coin) => inCurrency(coin, convert, coins));
    const byDate = [...coins].sort((a, b) => (a.date_added < b.date_added ? 1 : -1));
    const byCap = [...coins].sort((a, b) => b.quote.USD.market_cap - a.quote.USD.market_cap);
    const ids = (asked('id') ?? '').split(',').slice(0, 100);
    /** Known ids among the requested ones. Like the provider, it refuses a call without any. */
    const named = (shown: (coin: RawCoin) => unknown): Reply => {
      const found = coins.filter((coin) => ids.includes(String(coin.id)));
      if (found.length === 0) return refusal(400, 400, `Invalid value for "id": "${ids}"`);
      return { body: body(Object.fromEntries(found.map((coin) => [coin.id, shown(coin)]))) };
    };
    switch (url.pathname.replace(/^\/v[12]\/cryptocurrency/, '')) {
      case '/listings/latest':
        return { body: body(priced(asked('sort') === 'date_added' ? byDate : byCap)) };
      case '/trending/latest':
        return { body: body(priced(byCap.filter((_, index) => index % 3 === 2))) };
      case '/trending/most-visited':
        return { body: body(priced(byCap.toReversed())) };
      case '/map':
        return { body: body(page<object>(asked('listing_status') === 'active' ? coins.map(mapped) : UNTRACKED)) };
      case '/info':
        return named(({ id }) => info[id] ?? { id, urls: {} });
      case '/quotes/latest':
        return named((coin) => inCurrency(coin, convert, coins));
      default:
        return refusal(404, 404, 'Not Found');
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', fake.url);
    calls.push(url);
    const known = request.headers['x-cmc_pro_api_key'] === CMC_KEY;
    const well = known ? healthy(url) : refusal(401, 1001, 'This API Key is invalid.');
    const reply = fake.trouble?.(url.pathname, well.body as Body) ?? well;
    if (reply === 'silence') return;
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }

  return fake;
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
