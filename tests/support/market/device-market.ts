import type { UserDb } from '#client/platform/db/user-db.ts';
import type { MarketCoin, MarketData } from '#server/ports/market-data/market-data.ts';

const NO_LINKS = { websiteUrl: null, technicalDocUrl: null, redditUrl: null, githubUrl: null, explorerUrl: null, ratingScore: null };
const itemOf = ({ id, name, symbol, rank, quote }: MarketCoin) => ({ id, name, symbol, rank, quote });

/** Stores a market's list, the pages of its coins and their daily charts on a device, as its screens do. */
export async function storeMarket(db: UserDb, market: MarketData): Promise<void> {
  const { coins, source } = await market.snapshot();
  await db.coins.bulkPut(coins.map(itemOf));
  await db.coinLists.put({ key: 'coins/USD/1/100', ids: coins.slice(0, 100).map(({ id }) => id), source });
  await db.coinDetails.bulkPut(
    coins.map((coin) => ({
      ...itemOf(coin),
      ...NO_LINKS,
      ucid: coin.id,
      circulating_supply: coin.circulatingSupply,
      total_supply: coin.totalSupply,
      max_supply: coin.maxSupply,
      tags: [],
      isWatchListed: false,
      source,
    })),
  );
  for (const { id } of coins) {
    const series = await market.drawn?.candles(id, '1d');
    if (series) await db.candles.put({ ...series, candles: [...series.candles], id: `candles/${id}/ALL` });
  }
}
