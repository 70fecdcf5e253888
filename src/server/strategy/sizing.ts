import { RISK_PER_TRADE } from '#domain/bots/exposure.ts';
import { PERPETUAL } from './matching/perpetual.ts';

/** The share of the equity at risk if the exchange's smallest order exceeds `RISK_PER_TRADE`. */
const MOST_RISK = 0.04;
/** Largest distance of the stop, as a share of the liquidation price's distance. */
const STOP_WITHIN = 0.8;
/** The same for an open position: the price at which an entry is filled moves both distances. */
const SAFE_WITHIN = 0.9;
/** Cost of a market entry or exit, as a share of the traded value. */
export const WAY_COST = PERPETUAL.takerFee + PERPETUAL.slippage;
/** Largest share of the money used as margin, which leaves money for fees and funding. */
const MARGIN_SHARE = 0.9;

/** Steps of quantity (BTC) and price (USD), the smallest order (BTC), and the maintenance margin as a share of the position. */
export interface MarketTerms {
  quantity: number;
  price: number;
  least: number;
  maintenance: number;
}

export interface SizeInput {
  /** The bot's money with the open position's profit, and the money available as margin; USD. */
  equity: number;
  balance: number;
  leverage: number;
  /** USD. */
  price: number;
  stop: number;
  /** BTC. */
  step: number;
  least: number;
}

/** Prices of an open position, USD. */
interface OpenRisk {
  side: 'long' | 'short';
  entryPrice: number;
  stop: number;
  liquidationPrice: number;
}

/** Returns the quantity (BTC) whose loss at the stop, costs included, stays within the limit; 0 if no order is that small. */
export function sizePosition({ equity, balance, leverage, price, stop, step, least }: SizeInput): number {
  const distance = Math.abs(price - stop);
  if (!(distance > 0) || !(equity > 0) || !(balance > 0)) return 0;
  const loss = distance + 2 * WAY_COST * price;
  const affordable = (Math.min(equity, balance) * MARGIN_SHARE * leverage) / price;
  const quantity = floorTo(Math.min((equity * RISK_PER_TRADE) / loss, affordable), step);
  if (quantity >= least) return quantity;
  return least <= affordable && least * loss <= equity * MOST_RISK ? least : 0;
}

/** Whether the stop triggers well before the liquidation. */
export const stopIsInside = (price: number, stop: number, leverage: number, maintenance = PERPETUAL.maintenance): boolean =>
  Math.abs(price - stop) <= price * (1 / leverage - maintenance) * STOP_WITHIN;

/** Whether the stop of an open position triggers before the exchange's liquidation price (USD), which is 0 or less if there is none. */
export function stopIsSafe({ side, entryPrice, stop, liquidationPrice }: OpenRisk): boolean {
  if (liquidationPrice <= 0) return true;
  const sign = side === 'long' ? 1 : -1;
  return sign * (entryPrice - stop) <= SAFE_WITHIN * sign * (entryPrice - liquidationPrice);
}

/** Returns the decimals of a number of whole steps. */
export const decimalsOf = (step: number): number => Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));

/** Rounds down to whole steps, without floating-point noise. */
export function floorTo(value: number, step: number): number {
  const decimals = decimalsOf(step);
  return Number((Math.floor(value / step + 1e-9) * step).toFixed(decimals));
}

/** Rounds to the nearest whole step. */
export function roundTo(value: number, step: number): number {
  const decimals = decimalsOf(step);
  return Number((Math.round(value / step) * step).toFixed(decimals));
}
