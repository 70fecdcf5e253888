import type { ChartAxis } from '#contract/chat/chart-reading.ts';

/** Returns the price at a row, rounded to the power of ten that one pixel can show. */
export function priceAt({ y, price, perPixel }: ChartAxis, row: number): number {
  const decimals = -Math.floor(Math.log10(Math.abs(perPixel)));
  const exact = price + (row - y) * perPixel;
  return decimals > 0 ? Number(exact.toFixed(Math.min(100, decimals))) : Math.round(exact / 10 ** -decimals) * 10 ** -decimals;
}
