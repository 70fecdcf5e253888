import { PERPETUAL } from './matching/perpetual.ts';

/** Of the equity, what one trade may lose at its stop. */
const RISK = 0.015;
/** And at most where the exchange's smallest order is more than that. */
const MOST_RISK = 0.04;
/** Of the way to liquidation, what the stop may use up. */
const STOP_WITHIN = 0.8;
/** Of the traded value, what a way in or out costs at market. */
export const WAY_COST = PERPETUAL.takerFee + PERPETUAL.slippage;
/** Of what there is, the part put up as margin at most, so that fees and funding find something left. */
const MARGIN_SHARE = 0.9;

export interface SizeInput {
  /** USD: the bot's money, the open position counted, and what is free for margin. */
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

/** BTC to trade so that the stop, costs included, loses no more than it may; 0 where no order is that small. */
export function sizePosition({ equity, balance, leverage, price, stop, step, least }: SizeInput): number {
  const distance = Math.abs(price - stop);
  if (!(distance > 0) || !(equity > 0) || !(balance > 0)) return 0;
  const loss = distance + 2 * WAY_COST * price;
  const affordable = (Math.min(equity, balance) * MARGIN_SHARE * leverage) / price;
  const quantity = floorTo(Math.min((equity * RISK) / loss, affordable), step);
  if (quantity >= least) return quantity;
  return least <= affordable && least * loss <= equity * MOST_RISK ? least : 0;
}

/** True where the position would be stopped well before it is liquidated. */
export const stopIsInside = (price: number, stop: number, leverage: number): boolean =>
  Math.abs(price - stop) <= price * (1 / leverage - PERPETUAL.maintenance) * STOP_WITHIN;

/** In whole steps, without the dust of binary fractions. */
export function floorTo(value: number, step: number): number {
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  return Number((Math.floor(value / step + 1e-9) * step).toFixed(decimals));
}

/** The nearest whole step. */
export function roundTo(value: number, step: number): number {
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  return Number((Math.round(value / step) * step).toFixed(decimals));
}
