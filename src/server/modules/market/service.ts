import type { CryptoDetails, CryptoItem, MarketListBody, MarketSource, SearchHit } from '../../../contract/market';
import { searchCoins } from '../../../domain/coin-search';
import type { MarketCoin, MarketData, MarketSnapshot } from '../../ports/market-data/market-data';
import { passes } from './filters';
import { rank } from './ranking';

const DEFAULT_LIMIT = 100;
/** The count options of spec §9: the only lengths worth keeping answers for. */
const USUAL_LIMITS = [5, 10, 20, 50, 100];
const FILTERS = [
  'marketCapMin',
  'marketCapMax',
  'volume24hMin',
  'volume24hMax',
  'priceMin',
  'priceMax',
  'percentChange24hMin',
  'percentChange24hMax',
] as const satisfies readonly (keyof MarketListBody)[];

export interface MarketService {
  /** The list's whole answer, ready to be sent as JSON. */
  list(request: MarketListBody): Promise<Buffer>;
  search(text: string): Promise<SearchHit[]>;
  /** Undefined for a coin that is not known. */
  details(id: number): Promise<(CryptoDetails & { source: MarketSource }) | undefined>;
}

export function createMarketService(market: MarketData): MarketService {
  /** Unfiltered lists are what nearly everybody asks for: made once a snapshot, dropped with it. */
  const lists = new WeakMap<MarketSnapshot, Map<string, Buffer>>();

  return {
    async list(request) {
      const snapshot = await market.snapshot();
      const { limit = DEFAULT_LIMIT, sortType = 1 } = request;
      if (!USUAL_LIMITS.includes(limit) || FILTERS.some((filter) => request[filter] !== undefined)) return listAnswer(snapshot, request);
      const ready = lists.get(snapshot) ?? new Map<string, Buffer>();
      lists.set(snapshot, ready);
      // Both quotes are in every answer, so the currency makes no other list.
      const key = `${sortType}:${limit}`;
      const answer = ready.get(key) ?? listAnswer(snapshot, request);
      ready.set(key, answer);
      return answer;
    },
    search: async (text) => searchCoins(await market.searchMap(), text),
    async details(id) {
      const found = await market.details(id);
      if (!found) return undefined;
      const { coin, links, source } = found;
      return {
        ...item(coin),
        ucid: coin.id,
        circulating_supply: coin.circulatingSupply,
        total_supply: coin.totalSupply,
        max_supply: coin.maxSupply,
        websiteUrl: links.website,
        technicalDocUrl: links.technicalDoc,
        redditUrl: links.reddit,
        githubUrl: links.sourceCode,
        explorerUrl: links.explorer,
        // No provider rates coins.
        ratingScore: null,
        tags: coin.tags.map(({ name }) => ({ name })),
        // Nobody has a watchlist yet.
        isWatchListed: false,
        source,
      };
    },
  };
}

function listAnswer({ coins, source }: MarketSnapshot, request: MarketListBody): Buffer {
  const chosen = rank(coins, request.sortType ?? 1)
    .filter((coin) => passes(coin, request, request.convert ?? 'USD'))
    .slice(0, request.limit ?? DEFAULT_LIMIT);
  return Buffer.from(JSON.stringify({ status: 200, data: { data: chosen.map(item), source } }));
}

const item = ({ id, symbol, name, rank: place, quote }: MarketCoin): CryptoItem => ({ id, symbol, name, rank: place, quote });
