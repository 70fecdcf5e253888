import type { Series } from './candles/series.ts';
import type { Raster } from './pixels/picture.ts';

export const DENSE = 'The candles are too close together to be read one by one.';
export const TURNED = 'The picture seems to be turned by a quarter: turn it upright to have its candles read.';
export const PHOTOGRAPHED =
  'This seems to be a photograph of a screen or a tilted picture: positions are rough, and candles may be missing. A screenshot reads better.';
export const DOUBLE = 'There seems to be more than one chart in the picture: only one was read.';
const SMALL = 'The picture is small for so many candles: their highs and lows are rough.';
const FEW = 'There are few candles: swings and levels need more of them.';
const UNSURE = 'Parts of the chart are hard to make out.';

/** Fewer candles contain no clear swing. */
const FEW_CANDLES = 20;
/** Share of candles outside the path that makes a second chart. */
const SECOND_CHART = 0.35;

/** Returns what makes a reading of candles uncertain. */
export function warningsOf({ candles, elsewhere, pitch, score }: Series, { width }: Raster): string[] {
  return [
    ...(elsewhere >= Math.max(8, SECOND_CHART * candles.length) ? [DOUBLE] : []),
    ...(candles.length < FEW_CANDLES ? [FEW] : []),
    ...(pitch < 4 || width < 480 ? [SMALL] : []),
    ...(score < 0.7 ? [UNSURE] : []),
  ];
}
