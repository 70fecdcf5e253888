import type { CoinName } from '#domain/market/coin.ts';
import type { MarketData } from './market-data.ts';

/**
 * Returns a coin's name from the cache or, failing that, the provider: null when the provider does not know the id, undefined
 * when it is unreachable.
 */
export async function findCoin(market: MarketData, id: number): Promise<CoinName | null | undefined> {
  const named = (coins: readonly CoinName[]) => coins.find((coin) => coin.id === id);
  const known = named(market.known());
  if (known) return known;
  try {
    return named(await market.searchMap()) ?? (await market.details(id))?.coin ?? market.awaited?.(id) ?? null;
  } catch {
    return undefined;
  }
}
