import { storedDays } from '#client/platform/db/stored-days.ts';
import type { CoinDetailsRow, UserDb } from '#client/platform/db/user-db.ts';
import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import type { CoinDays, Figures } from '#domain/analyst/figures.ts';
import { BITCOIN, type Coin } from '#domain/market/coin.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';

/** Daily candles that an answer reads: a year, as on the server. */
const MAX_DAYS = 366;

/** What the analyst's rules know on this device: the market list, coins and charts that it has stored. */
export function deviceFigures(db: UserDb, list: { ids: readonly number[]; source: MarketSource }): Figures {
  return {
    async listing() {
      const ids = [...list.ids];
      const [items, details] = await Promise.all([db.coins.bulkGet(ids), db.coinDetails.bulkGet(ids)]);
      return { coins: items.flatMap((item, at) => (item ? [toCoin(item, details[at])] : [])), source: list.source };
    },
    names: () => namesOn(db),
    async coin(id) {
      const [item, details] = await Promise.all([db.coins.get(id), db.coinDetails.get(id)]);
      return item && toCoin(item, details);
    },
    days: (coinId) => daysOf(db, coinId),
    perpetual: async (coinId) => (coinId === BITCOIN ? 'offline' : 'none'),
    // Levels come from daily candles: the device keeps hourly ones for a week at most.
    bitcoinHours: async () => undefined,
  };
}

const toCoin = (item: CryptoItem, details: CoinDetailsRow | undefined): Coin => ({
  ...item,
  ...(details && { circulatingSupply: details.circulating_supply, maxSupply: details.max_supply }),
  quote: { USD: item.quote.USD ?? NO_FIGURES, BTC: item.quote.BTC ?? NO_FIGURES },
});

/** Returns the coins that the device knows, by rank. */
export async function namesOn(db: UserDb): Promise<CryptoItem[]> {
  const coins = await db.coins.toArray();
  return coins.sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY));
}

async function daysOf(db: UserDb, coinId: number): Promise<CoinDays | undefined> {
  const row = await storedDays(db, coinId);
  return row && { source: row.source, demo: row.demo, candles: row.candles.slice(-MAX_DAYS) };
}
