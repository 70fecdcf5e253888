import { SLIPPAGE, TAKER_FEE } from '#domain/bots/position-rules.ts';
import { HOUR } from '#domain/clock.ts';
import type { Rules } from './types.ts';

/** Bybit's rules of BTCUSDT for an account without a fee tier. */
export const PERPETUAL: Rules = {
  leverage: 1,
  takerFee: TAKER_FEE,
  makerFee: 0.0002,
  slippage: SLIPPAGE,
  maintenance: 0.005,
  quantityStep: 0.001,
  priceStep: 0.1,
};

/** Funding is due at 00:00, 08:00 and 16:00 UTC, ms. */
export const FUNDING_EVERY = 8 * HOUR;

/** Rate that longs pay to shorts without historical rates: the usual one in a calm market. */
export const USUAL_FUNDING = 0.0001;
