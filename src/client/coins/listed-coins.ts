import { useEffect } from 'react';
import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import { onForget } from '../platform/cache/memory.ts';

/** What a list shows: a coin's page shows the same at once, before it reads the device. */
interface List {
  coins: readonly CryptoItem[];
  source: MarketSource | undefined;
  /** ms. */
  savedAt: number | undefined;
}

/** The newest lists, newest first. */
let lists: { userId: string; list: List }[] = [];
const MAX_LISTS = 3;
onForget(() => {
  lists = [];
});

/** Keeps what a list shows in memory. */
export function useListedCoins(userId: string, list: List | undefined): void {
  useEffect(() => {
    if (list) lists = [{ userId, list }, ...lists.filter((each) => each.list !== list)].slice(0, MAX_LISTS);
  }, [userId, list]);
}

/** Returns a coin as the newest list shows it. */
export function listedCoin(userId: string, id: number): (Omit<List, 'coins'> & { coin: CryptoItem }) | undefined {
  for (const { userId: owner, list } of lists) {
    const coin = owner === userId ? list.coins.find((each) => each.id === id) : undefined;
    if (coin) return { coin, source: list.source, savedAt: list.savedAt };
  }
  return undefined;
}
