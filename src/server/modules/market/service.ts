import type { CryptoDetails } from '#contract/market/coin-details.ts';
import type { MarketListBody, MarketSource } from '#contract/market/market.ts';
import type { SearchHit } from '#contract/market/search.ts';
import type { CoinName } from '#domain/market/coin.ts';
import { searchCoins } from '#domain/market/coin-search.ts';
import { awaitsExchanges } from '#server/http/errors.ts';
import type { MarketData, PriceSource } from '#server/ports/market-data/market-data.ts';
import { memo } from '#server/ports/market-data/memo.ts';
import { type CompressedAnswer, createCompressedAnswer } from './compressed-answer.ts';
import type { ItemsOf } from './items.ts';
import { createLists } from './lists.ts';
import { createTotals } from './totals.ts';

/** A coin's details, without the user's own. */
type CoinFacts = Omit<CryptoDetails, 'isWatchListed'> & { source: MarketSource };

export interface MarketService {
  /** Returns the whole response body of a list. */
  list(request: MarketListBody): Promise<CompressedAnswer>;
  /** Returns the whole response body of the market's totals. */
  totals(): Promise<CompressedAnswer>;
  search(text: string): Promise<SearchHit[]>;
  /** Returns undefined for an unknown coin. Throws for a coin that only exchanges know, until they answer. */
  details(id: number): Promise<CoinFacts | undefined>;
}

export function createMarketService({ market, itemsOf }: { market: MarketData; itemsOf: ItemsOf }): MarketService {
  const totals = createTotals(market);
  const totalsAnswer = memo((data: object) => createCompressedAnswer({ status: 200, data }));
  return {
    list: createLists(market, itemsOf),
    totals: async () => totalsAnswer(await totals()),
    search: async (text) => withFigures(searchCoins(await market.searchMap(), text), market),
    async details(id) {
      const found = await market.details(id);
      if (!found) {
        const awaited = market.awaited?.(id);
        if (awaited) throw awaitsExchanges(awaited.name);
        return undefined;
      }
      const { coin, links, source } = found;
      const itemOf = await itemsOf({ source, coins: [coin] });
      return {
        ...itemOf(coin),
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
        ...(coin.sources && { sources: [...coin.sources], ...spreadOf(coin.sources) }),
        ...(coin.isCapEstimated && { market_cap_estimated: true }),
        source,
      };
    },
  };
}

/** Adds the market's figures. Without them, the search still answers with names. */
async function withFigures(found: readonly CoinName[], market: MarketData): Promise<SearchHit[]> {
  const snapshot = await market.snapshot().catch(() => undefined);
  const quotes = new Map(snapshot?.coins.map(({ id, quote }) => [id, quote.USD]));
  return found.map(({ id, name, symbol }) => {
    const quote = quotes.get(id);
    if (!snapshot || !quote) return { id, name, symbol };
    const { price, percent_change_24h } = quote;
    return { id, name, symbol, price, percent_change_24h, asOf: snapshot.source.asOf };
  });
}

/** Percent between the lowest and the highest source, to three decimals. One source has no spread. */
function spreadOf(sources: readonly PriceSource[]): { spread?: number } {
  if (sources.length < 2) return {};
  const prices = sources.map(({ price }) => price);
  return { spread: Number(((Math.max(...prices) / Math.min(...prices) - 1) * 100).toFixed(3)) };
}
