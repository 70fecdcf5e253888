import { HOUR, MINUTE } from '../clock.ts';

/** Lengths of the candles that bots may trade on, ms. */
export const INTERVAL_MS = { '5m': 5 * MINUTE, '15m': 15 * MINUTE, '30m': 30 * MINUTE, '1h': HOUR, '4h': 4 * HOUR } as const;
export type Interval = keyof typeof INTERVAL_MS;
export const INTERVALS = Object.keys(INTERVAL_MS) as Interval[];

/** Returns a candle length as users read it, such as `1h`. */
export const intervalName = (ms: number): string => (ms % HOUR === 0 ? `${ms / HOUR}h` : `${ms / MINUTE}m`);
