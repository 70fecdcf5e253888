import type { Candle } from '#domain/market/candles.ts';
import { readBundledFile } from '#server/ports/bundled-candles.ts';

/** The build copies this file next to the bundled server. */
const file = new URL('./history/btcusdt-perp-5m.csv.gz', import.meta.url);

/** Name of the replayed market, as users read it. */
export const HISTORY_NAME = 'Binance BTC/USDT perpetual, March 6 to April 13, 2025, replayed';

/** Returns real five-minute candles, oldest first and without gaps (history/README.md). */
export const readHistory = (): Candle[] => readBundledFile(file);
