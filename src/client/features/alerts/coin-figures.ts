import { useUserLive } from '#client/platform/cache/use-live.ts';
import type { Quotes } from '#contract/market/market.ts';
import type { Facts } from './form/alert-input.ts';

export type CoinFigures = Pick<Facts, 'price' | 'changes'>;

/** Returns the figures that an alert compares. */
export function figuresOf({ USD }: Quotes): CoinFigures {
  if (!USD) return {};
  return { price: USD.price, changes: { '1h': USD.percent_change_1h, '24h': USD.percent_change_24h, '7d': USD.percent_change_7d } };
}

/** Returns the figures of a coin that the device has, if any. */
export function useCoinFigures(coinId: number | undefined): CoinFigures {
  const quote = useUserLive(coinId === undefined ? null : `figures/${coinId}`, async (db) => {
    const coin = (await db.coins.get(coinId ?? 0)) ?? (await db.coinDetails.get(coinId ?? 0));
    return coin?.quote ?? {};
  });
  return figuresOf(quote ?? {});
}
