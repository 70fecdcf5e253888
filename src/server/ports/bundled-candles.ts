import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Candle } from '#domain/market/candles.ts';

/** Reads candles that ship with the server, oldest first: a gzipped CSV with a header and the columns in this order. */
export function readBundledFile(file: URL): Candle[] {
  const [, ...rows] = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return rows.map((row) => {
    const [time = NaN, open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = row.split(',').map(Number);
    return { time, open, high, low, close, volume };
  });
}
