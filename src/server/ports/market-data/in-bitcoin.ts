import { PERIODS } from '#contract/market/choices.ts';
import type { Period, Quote } from '#contract/market/market.ts';

/** Returns by how many percent a ratio differs from 1. */
export const percent = (ratio: number): number => (ratio - 1) * 100;

/** Returns a quote's changes, by their fields. */
export const changes = <Change extends number | null>(of: (period: Period) => Change) =>
  Object.fromEntries(PERIODS.map((period) => [`percent_change_${period}`, of(period)])) as Record<`percent_change_${Period}`, Change>;

/** Rounds to ten significant digits, which makes a list a third smaller on the wire. */
export const rounded = <Figures extends Quote>(figures: Figures): Figures =>
  Object.fromEntries(
    Object.entries(figures).map(([field, value]: [string, number | null]) => [
      field,
      value === null ? null : Number(value.toPrecision(10)),
    ]),
  ) as Figures;

/** Converts figures to Bitcoin, including the changes. Unknown figures stay unknown. */
export function inBitcoin(usd: Quote, bitcoin: Quote): Quote {
  const { price } = bitcoin;
  const divided = (amount: number | null) => (amount === null || !price ? null : amount / price);
  const relative = (change: number | null, btcChange: number | null) =>
    change === null || btcChange === null ? null : percent((1 + change / 100) / (1 + btcChange / 100));
  return rounded({
    price: divided(usd.price),
    market_cap: divided(usd.market_cap),
    volume_24h: divided(usd.volume_24h),
    volume_change_24h: relative(usd.volume_change_24h, bitcoin.percent_change_24h),
    fully_diluted_market_cap: divided(usd.fully_diluted_market_cap),
    ...changes((period) => relative(usd[`percent_change_${period}`], bitcoin[`percent_change_${period}`])),
  });
}
