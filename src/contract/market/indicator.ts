import * as z from 'zod/mini';
import { answer } from '../envelope.ts';

/** Candle lengths that may be looked at. */
export const TIMEFRAMES = ['15m', '1h', '4h', '1d'] as const;
export const timeframe = z.enum(TIMEFRAMES);
export type Timeframe = z.infer<typeof timeframe>;

export const indicatorLevel = z.object({
  kind: z.enum(['support', 'resistance']),
  /** USD. */
  price: z.number(),
  touches: z.number(),
  /** 0 to 1, of the strongest level here. */
  strength: z.number(),
  /** When price turned here last, ms of the feed's time. */
  last_touch: z.number(),
});
export type IndicatorLevel = z.infer<typeof indicatorLevel>;

/** What the strategy makes of the last closed candle. */
export const indicatorSignal = z.object({
  /** `wait` where it sees nothing to enter at. */
  action: z.enum(['long', 'short', 'wait']),
  setup: z.nullable(z.enum(['bounce', 'retest'])),
  stop: z.nullable(z.number()),
  target: z.nullable(z.number()),
});

/** GET /indicator/{timeframe}: BTC candles and the levels the strategy sees in them. Times in ms of the feed's time. */
export const indicator = z.object({
  timeframe,
  /** Named to the user, e.g. "Binance BTC/USDT perpetual, replayed". */
  source: z.string(),
  /** How much faster than life the feed runs; null for a live market. */
  speed: z.nullable(z.number()),
  /** Oldest first; the last one is still open. */
  candles: z.array(
    z.object({ time: z.number(), open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() }),
  ),
  levels: z.array(indicatorLevel),
  signal: indicatorSignal,
});
export type Indicator = z.infer<typeof indicator>;
export const indicatorAnswer = answer(indicator);
