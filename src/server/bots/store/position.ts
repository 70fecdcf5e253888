import type { BotRow } from './bots.ts';

/** An open position of a bot, as it stands in `bots.position`. Prices in USD, quantity in BTC. */
export interface KeptPosition {
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  stop: number | null;
  target: number | null;
  liquidationPrice: number;
  /** USD, at the mark price that the row's equity was taken at. */
  unrealised: number;
  /** The order that opened it. */
  entryId: string;
  /** ms of the feed's time, and of the clock's. */
  openedAt: number;
  openedClock: number;
  /** Since when the exchange's words about it do not fit together, ms of the feed's time. */
  unsettledSince?: number;
}

export const positionOf = (row: Pick<BotRow, 'position'>): KeptPosition | null => row.position as KeptPosition | null;

/** USD that a position would bring at `price`, before fees. */
export const unrealisedAt = (
  { side, quantity, entryPrice }: Pick<KeptPosition, 'side' | 'quantity' | 'entryPrice'>,
  price: number,
): number => (side === 'long' ? 1 : -1) * (price - entryPrice) * quantity;

/** The mark price that a kept position was last seen at. */
export const priceAt = ({ side, quantity, entryPrice, unrealised }: KeptPosition): number =>
  entryPrice + ((side === 'long' ? 1 : -1) * unrealised) / quantity;
