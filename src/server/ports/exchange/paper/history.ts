import type { Candle } from '#domain/market/candles.ts';
import { readBundledFile } from '#server/ports/bundled-candles.ts';

/** Beside this file in the sources, and beside the bundled server, where the build copies it. */
const file = new URL('./history/btcusdt-perp-5m.csv.gz', import.meta.url);

/** What is replayed, as users read it. */
export const HISTORY_NAME = 'Binance BTC/USDT perpetual, replayed';

/** Real candles of five minutes, oldest first and without a gap (history/README.md). */
export const readHistory = (): Candle[] => readBundledFile(file);
