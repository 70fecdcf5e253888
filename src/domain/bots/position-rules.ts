import { DAY } from '../clock.ts';

/** Bybit's fee of a market order without a fee tier, as a share of the traded value. */
export const TAKER_FEE = 0.00055;
/** Estimate for a market order of a few thousand dollars, rounded up; a share of the traded value. */
export const SLIPPAGE = 0.0002;

/** Returns the cost of a market entry or exit, as a share of its value. */
export const wayCost = (takerFee: number): number => takerFee + SLIPPAGE;

/** Longest time that a bot keeps a position open, ms. */
export const LONGEST_HOLD = 20 * DAY;

/** Estimates what closing a position at market costs, and the result after that cost; USD. `takerFee`: the account's, if known. */
export function closingEstimate(
  position: { quantity: number; mark_price: number; unrealised_pnl: number },
  takerFee: number | null = null,
): { cost: number; result: number } {
  const cost = position.quantity * position.mark_price * wayCost(takerFee ?? TAKER_FEE);
  return { cost, result: position.unrealised_pnl - cost };
}
