import * as z from 'zod/mini';

/** What a picture shows. `other` is a chart of another kind, `none` no chart at all. */
export const pictureKind = z.enum(['candles', 'bars', 'line', 'other', 'none']);

/** Positions are in pixels of the picture as it was given, from its top left corner. */
const candleMark = z.object({ x: z.number(), high: z.number(), low: z.number(), open: z.number(), close: z.number() });

export const chartLevel = z.object({
  kind: z.enum(['support', 'resistance']),
  y: z.number(),
  /** Only where the price axis could be read. */
  price: z.optional(z.number()),
  /** How many swing highs or lows make this level. */
  touches: z.int(),
});
export type ChartLevel = z.infer<typeof chartLevel>;

/** Prices fall evenly from the top: the one at row `y`, and by how much a row is more than the row above it (below 0). */
const chartAxis = z.object({ y: z.number(), price: z.number(), perPixel: z.number() });
export type ChartAxis = z.infer<typeof chartAxis>;

/** What was read from a picture of a chart (docs/decisions.md, Charts). */
export const chartReading = z.object({
  kind: pictureKind,
  /** 0 to 1: how sure the reading of `kind` and candles is. */
  confidence: z.number(),
  /** Size of the picture, pixels. */
  width: z.number(),
  height: z.number(),
  /** The area the prices are drawn in; all zero where there is none. */
  plot: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  /** Left to right. */
  candles: z.array(candleMark),
  trend: z.enum(['up', 'down', 'flat']),
  levels: z.array(chartLevel),
  /** Only where it was read with certainty; of its currency nothing is known. */
  axis: z.optional(chartAxis),
  /** In words for people: what makes the reading doubtful. */
  warnings: z.array(z.string()),
});
export type ChartReading = z.infer<typeof chartReading>;

/** What is kept of a reading beside its answer: enough to draw it over the picture again. */
export const chartMarks = z.omit(chartReading, { candles: true });
export type ChartMarks = z.infer<typeof chartMarks>;
