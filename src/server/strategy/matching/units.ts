import type { Rules } from './types.ts';

/**
 * Whole numbers instead of decimals, against rounding errors: prices in ticks, quantities in steps, money in ticks × steps. With
 * ticks of 0.1 USD and steps of 0.001 BTC, a unit of money is a hundredth of a cent.
 */
export interface Units {
  /** Undefined unless the quantity is a positive multiple of the step. */
  toSteps(quantity: number): number | undefined;
  toTicks(price: number): number | undefined;
  /** Returns the tick nearest to a market price. */
  nearestTick(price: number): number;
  quantity(steps: number): number;
  price(ticks: number): number;
  usd(money: number): number;
  money(usd: number): number;
}

/** Tolerated floating-point error, as a fraction of a step. */
const NOISE = 1e-6;

export function unitsOf({ quantityStep, priceStep }: Pick<Rules, 'quantityStep' | 'priceStep'>): Units {
  // Division by whole numbers gives the nearest double; multiplication by 0.1 does not.
  const stepsPerBtc = Math.round(1 / quantityStep);
  const ticksPerUsd = Math.round(1 / priceStep);
  const moneyPerUsd = stepsPerBtc * ticksPerUsd;
  return {
    toSteps: (quantity) => multiple(quantity * stepsPerBtc),
    toTicks: (price) => multiple(price * ticksPerUsd),
    nearestTick: (price) => Math.round(price * ticksPerUsd),
    quantity: (steps) => steps / stepsPerBtc,
    price: (ticks) => ticks / ticksPerUsd,
    usd: (money) => money / moneyPerUsd,
    money: (usd) => Math.round(usd * moneyPerUsd),
  };
}

function multiple(value: number): number | undefined {
  const whole = Math.round(value);
  return whole > 0 && Number.isSafeInteger(whole) && Math.abs(value - whole) < NOISE ? whole : undefined;
}

/** Rounds a charge up to a whole unit. */
export const charged = (money: number): number => Math.ceil(money - NOISE);
