/** Returns an open candle that ends at the current price. */
export const withPrice = <Candle extends { high: number; low: number; close: number }>(candle: Candle, price: number): Candle => ({
  ...candle,
  high: Math.max(candle.high, price),
  low: Math.min(candle.low, price),
  close: price,
});
