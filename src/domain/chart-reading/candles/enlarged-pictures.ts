import type { Raster } from '../pixels/picture.ts';
import type { Candle, Series } from './series.ts';

/** Rows around the end of a wick in which its fading is measured. */
const AROUND = 5;
/** Minimum edge width, in pixels, of an enlarged picture. Smoothing and compression cause two. */
const MIN_EDGE = 2.4;
const MAX_EDGE = 6;
/** Minimum number of wick ends, and their minimum contrast, 0 to 765. */
const MIN_WICK_ENDS = 8;
const MIN_CONTRAST = 100;

/**
 * Moves candles of an enlarged picture to where the chart drew them. A chart draws a price at the upper left of a screen pixel,
 * which enlarging moves away from the middle of a picture's pixel.
 */
export function asDrawn(series: Series, raster: Raster): Series {
  const added = widthOfEdges(series.candles, raster) - 1;
  if (added === 0) return series;
  const move = ({ x, high, low, open, close }: Candle): Candle => ({
    x: x - added / 2,
    high,
    low: low - added,
    open: open > close ? open - added : open,
    close: close > open ? close - added : close,
  });
  return { ...series, candles: series.candles.map(move) };
}

/** Returns how many picture rows one screen row became: the number of rows over which a wick's end fades. */
function widthOfEdges(candles: readonly Candle[], { width, height, rgb }: Raster): number {
  const widths: number[] = [];
  for (const { x, high, low } of candles) {
    if (low - high < 4 * AROUND) continue;
    for (const end of [Math.round(high), Math.round(low)]) {
      const edge = widthOfEdge(Math.round(x), end);
      if (edge) widths.push(edge);
    }
  }
  if (widths.length < MIN_WICK_ENDS) return 1;
  widths.sort((a, b) => a - b);
  const middle = widths[widths.length >> 1] as number;
  return middle >= MIN_EDGE ? Math.min(MAX_EDGE, middle) : 1;

  /** Returns the width of an edge: equal steps add up, and one large step outweighs many small ones. */
  function widthOfEdge(x: number, y: number): number | undefined {
    if (x < 0 || x >= width || y < AROUND || y >= height - AROUND) return undefined;
    const bright = (row: number) => {
      const at = (row * width + x) * 3;
      return [rgb[at], rgb[at + 1], rgb[at + 2]] as [number, number, number];
    };
    let sum = 0;
    let squares = 0;
    for (let row = y - AROUND; row < y + AROUND; row++) {
      const [one, two] = [bright(row), bright(row + 1)];
      const step = Math.abs(one[0] - two[0]) + Math.abs(one[1] - two[1]) + Math.abs(one[2] - two[2]);
      sum += step;
      squares += step * step;
    }
    return sum >= MIN_CONTRAST ? (sum * sum) / squares : undefined;
  }
}
