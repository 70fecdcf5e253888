import { RISK_PER_TRADE } from '#domain/bots/exposure.ts';
import { wayCost } from '#domain/bots/position-rules.ts';

/** The share of the equity at risk if the exchange's smallest order exceeds `RISK_PER_TRADE`. */
const MAX_RISK = 0.04;
/** Largest distance of the stop, as a share of the liquidation price's distance. */
const STOP_WITHIN = 0.8;
/** The same for an open position: the price at which an entry is filled moves both distances. */
const SAFE_WITHIN = 0.9;
/** Largest share of the money used as margin, which leaves money for fees and funding. */
const MARGIN_SHARE = 0.9;

/** The maintenance margin, as a share of their value, of positions up to a value (USD) and a quantity (BTC). */
export interface RiskTier {
  value: number;
  quantity: number;
  maintenance: number;
}

/** Steps of quantity (BTC) and price (USD), the smallest order (BTC), and the risk tiers, smallest positions first. */
export interface MarketTerms {
  quantity: number;
  price: number;
  least: number;
  tiers: readonly RiskTier[];
}

/** Returns the tiers of a market with one maintenance margin for positions of any size. */
export const oneTier = (maintenance: number): RiskTier[] => [
  { value: Number.POSITIVE_INFINITY, quantity: Number.POSITIVE_INFINITY, maintenance },
];

/** Returns a position's maintenance margin as a share of its value; undefined if no tier allows its size. */
export const maintenanceOf = (tiers: readonly RiskTier[], { quantity, price }: { quantity: number; price: number }): number | undefined =>
  tiers.find((tier) => quantity <= tier.quantity && quantity * price <= tier.value)?.maintenance;

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
  /** The account's fee of a market order, as a share of its value. */
  takerFee: number;
}

/** Prices of an open position, USD. */
interface OpenRisk {
  side: 'long' | 'short';
  entryPrice: number;
  stop: number;
  liquidationPrice: number;
}

/** Returns the quantity (BTC) whose loss at the stop, costs included, stays within the limit; 0 if no order is that small. */
export function sizePosition({ equity, balance, leverage, price, stop, step, least, takerFee }: SizeInput): number {
  const distance = Math.abs(price - stop);
  if (!(distance > 0) || !(equity > 0) || !(balance > 0)) return 0;
  const loss = distance + 2 * wayCost(takerFee) * price;
  const affordable = (Math.min(equity, balance) * MARGIN_SHARE * leverage) / price;
  const quantity = floorTo(Math.min((equity * RISK_PER_TRADE) / loss, affordable), step);
  if (quantity >= least) return quantity;
  return least <= affordable && least * loss <= equity * MAX_RISK ? least : 0;
}

/** Whether the stop triggers well before the liquidation. */
export const stopIsInside = (price: number, stop: number, leverage: number, maintenance: number): boolean =>
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

/** Writes a value in whole steps, with the decimals of a step: `0.010` for a step of 0.001. */
export const stepText = (value: number, step: number): string => roundTo(value, step).toFixed(decimalsOf(step));
