import type { BotRow } from './bots.ts';

/** A bot's open position, as `bots.position` stores it. Prices in USD, quantity in BTC. */
export interface KeptPosition {
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  stop: number | null;
  target: number | null;
  liquidationPrice: number;
  /** USD, at the mark price of the row's equity. */
  unrealised: number;
  /** Id of the order that opened it. */
  entryId: string;
  /** ms of the feed's time. */
  openedAt: number;
  /** ms of the server's clock. */
  openedClock: number;
  /** Since when the exchange's fills and position disagree about it, ms of the feed's time. */
  unsettledSince?: number;
  /** The first of the cycles in a row that found a disagreement, ms of the server's clock. */
  unsettledClock?: number;
}

export const positionOf = (row: Pick<BotRow, 'position'>): KeptPosition | null => row.position as KeptPosition | null;

/** Returns a position's profit at `price` in USD, before fees. */
export const unrealisedAt = (
  { side, quantity, entryPrice }: Pick<KeptPosition, 'side' | 'quantity' | 'entryPrice'>,
  price: number,
): number => (side === 'long' ? 1 : -1) * (price - entryPrice) * quantity;

/** Returns the mark price at which the position was last seen, USD. */
export const priceAt = ({ side, quantity, entryPrice, unrealised }: KeptPosition): number =>
  entryPrice + ((side === 'long' ? 1 : -1) * unrealised) / quantity;
