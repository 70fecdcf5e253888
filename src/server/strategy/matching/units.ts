import type { Rules } from './types.ts';

/**
 * Money without rounding errors: prices are counted in ticks, quantities in steps, and money in ticks × steps, all of
 * them whole numbers. With Bybit's 0.1 USD and 0.001 BTC a unit of money is a hundredth of a cent.
 */
export interface Units {
  /** Undefined for what is no positive multiple of the step. */
  toSteps(quantity: number): number | undefined;
  toTicks(price: number): number | undefined;
  /** The nearest tick to a price of the market. */
  nearestTick(price: number): number;
  quantity(steps: number): number;
  price(ticks: number): number;
  usd(money: number): number;
  money(usd: number): number;
}

/** Floating point makes 841231 × 0.1 of 84123.1: this much of a step is forgiven. */
const NOISE = 1e-6;

export function unitsOf({ quantityStep, priceStep }: Pick<Rules, 'quantityStep' | 'priceStep'>): Units {
  // Dividing by whole numbers gives the nearest double; multiplying by 0.1 would not.
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

/** Rounded up to a whole unit, as an exchange does with what it takes. */
export const charged = (money: number): number => Math.ceil(money - NOISE);
