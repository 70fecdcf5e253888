import { storedDays } from '#client/platform/db/stored-days.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import type { CoinDays, Figures } from '#domain/analyst/figures.ts';
import { BITCOIN, type Coin } from '#domain/market/coin.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';

/** Daily candles that an answer reads: a year, as on the server. */
const MAX_DAYS = 366;

/** What the analyst's rules know on this device: the market list, coins and charts that it has stored. */
export function deviceFigures(db: UserDb, list: { ids: readonly number[]; source: MarketSource }): Figures {
  const toCoin = async (item: CryptoItem): Promise<Coin> => {
    const details = await db.coinDetails.get(item.id);
    const supplies = details && { circulatingSupply: details.circulating_supply, maxSupply: details.max_supply };
    return { ...item, ...supplies, quote: { USD: item.quote.USD ?? NO_FIGURES, BTC: item.quote.BTC ?? NO_FIGURES } };
  };
  return {
    async listing() {
      const coins = (await db.coins.bulkGet([...list.ids])).filter((coin) => coin !== undefined);
      return { coins: await Promise.all(coins.map(toCoin)), source: list.source };
    },
    names: () => namesOn(db),
    async coin(id) {
      const item = await db.coins.get(id);
      return item && toCoin(item);
    },
    days: (coinId) => daysOf(db, coinId),
    perpetual: async (coinId) => (coinId === BITCOIN ? 'offline' : 'none'),
    // Levels come from daily candles: the device keeps hourly ones for a week at most.
    bitcoinHours: async () => undefined,
  };
}

/** Returns the coins that the device knows, by rank. */
export async function namesOn(db: UserDb): Promise<CryptoItem[]> {
  const coins = await db.coins.toArray();
  return coins.sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY));
}

async function daysOf(db: UserDb, coinId: number): Promise<CoinDays | undefined> {
  const row = await storedDays(db, coinId);
  return row && { source: row.source, demo: row.demo, candles: row.candles.slice(-MAX_DAYS) };
}
