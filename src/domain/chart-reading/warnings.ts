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

/** Candles on both sides of which no swing can be told, and then some. */
const FEW_CANDLES = 20;
/** Share of the candles that may stand elsewhere before that is another chart. */
const SECOND_CHART = 0.35;

/** What makes a reading of candles doubtful. */
export function warningsOf({ candles, elsewhere, pitch, score }: Series, { width }: Raster): string[] {
  return [
    ...(elsewhere >= Math.max(8, SECOND_CHART * candles.length) ? [DOUBLE] : []),
    ...(candles.length < FEW_CANDLES ? [FEW] : []),
    ...(pitch < 4 || width < 480 ? [SMALL] : []),
    ...(score < 0.7 ? [UNSURE] : []),
  ];
}
