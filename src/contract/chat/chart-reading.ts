import * as z from 'zod/mini';

/** What a picture shows. `other` is another kind of chart, `none` is no chart. */
export const pictureKind = z.enum(['candles', 'bars', 'line', 'other', 'none']);

/** Positions are pixels of the original picture, from its top left corner. */
const candleMark = z.object({ x: z.number(), high: z.number(), low: z.number(), open: z.number(), close: z.number() });

export const chartLevel = z.object({
  kind: z.enum(['support', 'resistance']),
  y: z.number(),
  /** Present only if the price axis was read. */
  price: z.optional(z.number()),
  /** Number of swing highs or lows at this level. */
  touches: z.int(),
});
export type ChartLevel = z.infer<typeof chartLevel>;

/** A linear price axis: `price` at row `y`, and `perPixel`, the (negative) price change per row downward. */
const chartAxis = z.object({ y: z.number(), price: z.number(), perPixel: z.number() });
export type ChartAxis = z.infer<typeof chartAxis>;

/** The reading of a chart picture. */
export const chartReading = z.object({
  kind: pictureKind,
  /** 0 to 1: certainty of `kind` and the candles. */
  confidence: z.number(),
  /** Picture size in pixels. */
  width: z.number(),
  height: z.number(),
  /** The area that holds the prices; all zero if there is none. */
  plot: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  /** Left to right. */
  candles: z.array(candleMark),
  trend: z.enum(['up', 'down', 'flat']),
  levels: z.array(chartLevel),
  /** Present only if it was read with certainty. Its currency is unknown. */
  axis: z.optional(chartAxis),
  /** Sentences for the user about what makes the reading uncertain. */
  warnings: z.array(z.string()),
});
export type ChartReading = z.infer<typeof chartReading>;

/** The part of a reading that is stored with its answer: enough to draw it over the picture again. */
export const chartMarks = z.omit(chartReading, { candles: true });
export type ChartMarks = z.infer<typeof chartMarks>;
