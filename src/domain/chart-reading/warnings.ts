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

/** What the user can do about a warning. */
const HELP: Readonly<Record<string, string>> = {
  [DENSE]: 'Zoom in, so that fewer candles show.',
  [TURNED]: 'Turn the picture upright.',
  [PHOTOGRAPHED]: 'Take a screenshot instead of a photograph.',
  [DOUBLE]: 'Crop the picture to one chart.',
  [SMALL]: 'Send the picture in its original size, or zoom in.',
  [FEW]: `Show at least ${FEW_CANDLES} candles.`,
};
const CLEAR = 'Show candles or bars with their price axis, without drawings over them.';
const SHARP = 'Send a sharp screenshot in its original size.';

/** Returns what would make a picture with these warnings readable. */
export function helpFor(warnings: readonly string[]): string[] {
  const tips = warnings.flatMap((warning) => HELP[warning] ?? []);
  return [...(tips.length > 0 ? tips : [SHARP]), CLEAR];
}
