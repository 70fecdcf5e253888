import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Candle } from '../../../../domain/candles';

/** Beside this file in the sources, and beside the bundled server, where the build copies it. */
const file = new URL('./history/btcusdt-perp-5m.csv.gz', import.meta.url);

/** What is replayed, as users read it. */
export const HISTORY_NAME = 'Binance BTC/USDT perpetual, replayed';

/** Real candles of five minutes, oldest first and without a gap (history/README.md). */
export function readHistory(): Candle[] {
  const [, ...rows] = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return rows.map((row) => {
    const [time = Number.NaN, open = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN, volume = Number.NaN] = row
      .split(',')
      .map(Number);
    return { time, open, high, low, close, volume };
  });
}
