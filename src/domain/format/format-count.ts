/** Returns "1 candle" or "3 candles". `many` is for irregular plurals. */
export const formatCount = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
