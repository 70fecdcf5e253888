import type { Raster } from './picture.ts';

/** Minimum length of a grid line, relative to the width or height. */
const LONG = 0.35;
/** Minimum difference of a line from its neighbors, in one color channel. */
const STEP = 6;
/** Minimum distance of two lines, and maximum deviation, in pixels. */
const CLOSEST = 14;
const UNEVEN = 2;
/** More lines in one direction are a pattern. */
const MAX_LINES = 24;

/** Tests for evenly spaced grid lines in both directions: a chart of any kind, not a table. */
export const hasGrid = (raster: Raster): boolean => hasEvenLines(raster, 'rows') && hasEvenLines(raster, 'columns');

function hasEvenLines({ width, height, rgb }: Raster, direction: 'rows' | 'columns'): boolean {
  const across = direction === 'rows';
  const lanes = across ? height : width;
  const length = across ? width : height;
  const at = (lane: number, along: number) => (across ? lane * width + along : along * width + lane) * 3;
  const differs = (one: number, two: number) => {
    for (let channel = 0; channel < 3; channel++)
      if (Math.abs((rgb[one + channel] as number) - (rgb[two + channel] as number)) >= STEP) return true;
    return false;
  };
  const lines: number[] = [];
  for (let lane = 3; lane < lanes - 3; lane++) {
    let count = 0;
    for (let along = 0; along < length; along++) {
      const here = at(lane, along);
      if (differs(here, at(lane - 3, along)) && differs(here, at(lane + 3, along))) count++;
    }
    if (count >= LONG * length && lane - (lines.at(-1) ?? -CLOSEST) >= CLOSEST) lines.push(lane);
  }
  if (lines.length > MAX_LINES) return false;
  return lines.some((line, index) => {
    const [second, third] = [lines[index + 1], lines[index + 2]];
    return second !== undefined && third !== undefined && Math.abs(third - second - (second - line)) <= UNEVEN;
  });
}
