import { createContext, type ReactNode } from 'react';
import type { CryptoItem } from '#contract/market/market.ts';

/** What the watchlist shows on market pages. client/app provides it, because features do not import each other. */
export interface WatchlistParts {
  /** Ids of the coins with a heart. */
  watched: ReadonlySet<number>;
  /** Renders a coin's heart. `told`: whether its details say it is watched. `onSent`: called once the server has stored a change. */
  heart(coin: CryptoItem, told: boolean | undefined, onSent: () => void): ReactNode;
  /** Renders the changes to a coin's heart that the server refused. */
  refused(id: number): ReactNode;
}

export const WatchlistSlot = createContext<WatchlistParts>({ watched: new Set(), heart: () => null, refused: () => null });
