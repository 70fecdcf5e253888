import { HOUR } from '#domain/clock.ts';
import type { Rules } from './types.ts';

/**
 * BTCUSDT as Bybit lists it for an account without a fee tier. Slippage is ours: what an order of a few thousand dollars
 * pays beyond the last price in a book as deep as this one's, rounded up.
 */
export const PERPETUAL: Rules = {
  leverage: 1,
  takerFee: 0.00055,
  makerFee: 0.0002,
  slippage: 0.0002,
  maintenance: 0.005,
  quantityStep: 0.001,
  priceStep: 0.1,
};

/** Funding falls due at 00:00, 08:00 and 16:00 UTC, ms. */
export const FUNDING_EVERY = 8 * HOUR;

/** What longs pay to shorts where the history tells no rate: what exchanges take while the market is calm. */
export const USUAL_FUNDING = 0.0001;
