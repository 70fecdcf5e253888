import * as z from 'zod/mini';
import { answer } from '../envelope.ts';

/** Supported candle lengths. */
export const TIMEFRAMES = ['15m', '1h', '4h', '1d'] as const;
export const timeframe = z.enum(TIMEFRAMES);
export type Timeframe = z.infer<typeof timeframe>;

export const indicatorLevel = z.object({
  kind: z.enum(['support', 'resistance']),
  /** USD. */
  price: z.number(),
  touches: z.number(),
  /** 0 to 1, relative to the strongest level. */
  strength: z.number(),
  /** When the price last turned here, in ms of the feed's time. */
  last_touch: z.number(),
});
export type IndicatorLevel = z.infer<typeof indicatorLevel>;

/** The strategy's signal at the last closed candle. */
export const indicatorSignal = z.object({
  /** `wait` without an entry. */
  action: z.enum(['long', 'short', 'wait']),
  setup: z.nullable(z.enum(['bounce', 'retest'])),
  stop: z.nullable(z.number()),
  target: z.nullable(z.number()),
});

/** GET /indicator/{timeframe}: BTC candles and the strategy's levels. Times in ms of the feed's time. */
export const indicator = z.object({
  timeframe,
  /** Shown to the user, e.g. "Binance BTC/USDT perpetual, replayed". */
  source: z.string(),
  /** Speed of the feed relative to real time. Null for a live market. */
  speed: z.nullable(z.number()),
  /** Oldest first. The last one is still open. */
  candles: z.array(
    z.object({ time: z.number(), open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() }),
  ),
  levels: z.array(indicatorLevel),
  signal: indicatorSignal,
});
export type Indicator = z.infer<typeof indicator>;
export const indicatorAnswer = answer(indicator);
