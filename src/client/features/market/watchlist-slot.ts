import { createContext, type ReactNode } from 'react';
import type { CryptoItem } from '#contract/market/market.ts';

/** What the watchlist shows on the market's pages. It is another feature: client/app puts the two together. */
export interface WatchlistParts {
  /** Ids of the coins with a heart. */
  watched: ReadonlySet<number>;
  /** The heart of a coin's page. `told` is what its details say; `onSent` is called once the server has taken it. */
  heart(coin: CryptoItem, told: boolean | undefined, onSent: () => void): ReactNode;
  /** What the server refused of a coin's heart. */
  refused(id: number): ReactNode;
}

export const WatchlistSlot = createContext<WatchlistParts>({ watched: new Set(), heart: () => null, refused: () => null });
