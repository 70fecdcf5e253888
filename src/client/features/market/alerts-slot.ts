import { createContext, type ReactNode } from 'react';
import type { CryptoItem } from '#contract/market/market.ts';

/** A price to draw on a coin's chart. */
export interface AlertLevel {
  /** USD. */
  price: number;
  title: string;
}

/** What price alerts show on a coin's page. */
export interface AlertParts {
  /** Renders the button for a new alert. */
  button(coin: CryptoItem): ReactNode;
  /** Renders the coin's alerts. */
  list(coin: CryptoItem): ReactNode;
  /** Renders what the alert in the address fired at. `onLevel` receives the level to draw. */
  fired(id: string, coinId: number, onLevel: (level: AlertLevel | undefined) => void): ReactNode;
}

/** Loads the alerts' parts. client/app provides it, because features do not import each other. */
export const AlertsSlot = createContext<() => Promise<{ alertParts?: AlertParts }>>(async () => ({}));
