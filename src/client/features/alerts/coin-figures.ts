import { useUserLive } from '#client/platform/cache/use-live.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Quotes } from '#contract/market/market.ts';
import type { Facts } from './form/alert-input.ts';

export type CoinFigures = Pick<Facts, 'price' | 'changes'>;

/** Returns the figures that an alert compares. */
export function figuresOf({ USD }: Quotes): CoinFigures {
  if (!USD) return {};
  return { price: USD.price, changes: { '1h': USD.percent_change_1h, '24h': USD.percent_change_24h, '7d': USD.percent_change_7d } };
}

/** Reads the figures of a coin that the device has, if any. */
export async function readFigures(db: UserDb, coinId: number | undefined): Promise<CoinFigures> {
  if (coinId === undefined) return {};
  const coin = (await db.coins.get(coinId)) ?? (await db.coinDetails.get(coinId));
  return figuresOf(coin?.quote ?? {});
}

/** Returns the figures of a coin that the device has, if any. */
export const useCoinFigures = (coinId: number | undefined): CoinFigures =>
  useUserLive(coinId === undefined ? null : `figures/${coinId}`, (db) => readFigures(db, coinId)) ?? {};
