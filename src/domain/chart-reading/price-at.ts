import type { ChartAxis } from '#contract/chat/chart-reading.ts';

/** The price at a row of the picture, to the power of ten that a pixel tells. */
export function priceAt({ y, price, perPixel }: ChartAxis, row: number): number {
  const decimals = -Math.floor(Math.log10(Math.abs(perPixel)));
  const exact = price + (row - y) * perPixel;
  return decimals > 0 ? Number(exact.toFixed(Math.min(100, decimals))) : Math.round(exact / 10 ** -decimals) * 10 ** -decimals;
}
