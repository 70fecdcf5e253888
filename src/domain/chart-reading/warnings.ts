import type { Series } from './candles/series.ts';
import type { Raster } from './pixels/picture.ts';

export const DENSE = 'The candles are too close together to read individually.';
export const TURNED = 'The picture seems to be turned. Turn it upright so that its candles can be read.';
export const PHOTOGRAPHED =
  'This looks like a photograph or a tilted picture. Positions are approximate, and candles may be missing. A screenshot works better.';
export const DOUBLE = 'The picture seems to have more than one chart. Only one was read.';
const SMALL = 'The picture is small for this many candles. Their highs and lows are approximate.';
const FEW = 'There are too few candles for reliable swings and levels.';
const UNSURE = 'Parts of the chart are unclear.';

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
