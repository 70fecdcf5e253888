import type { Raster } from '../pixels/picture.ts';
import type { Candle, Series } from './series.ts';

/** Rows around the end of a wick over which its fading is measured. */
const AROUND = 5;
/** How wide edges are, pixels, before a picture counts as enlarged: smoothing and compression make them two. */
const LEAST = 2.4;
const MOST = 6;
/** Ends of wicks that it takes to tell, and their least contrast, 0 to 765. */
const FEWEST = 8;
const LEAST_CONTRAST = 100;

/**
 * A price is where the pen was put down: at the upper left of a pixel of the screen. Where the picture was enlarged since, that
 * is no longer the same as the pixel's middle or its lower edge, and candles move by what was added.
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

/** How many rows of the picture were one of the screen: as many as the end of a wick fades over. */
function widthOfEdges(candles: readonly Candle[], { width, height, rgb }: Raster): number {
  const widths: number[] = [];
  for (const { x, high, low } of candles) {
    if (low - high < 4 * AROUND) continue;
    for (const end of [Math.round(high), Math.round(low)]) {
      const edge = widthOfEdge(Math.round(x), end);
      if (edge) widths.push(edge);
    }
  }
  if (widths.length < FEWEST) return 1;
  widths.sort((a, b) => a - b);
  const middle = widths[widths.length >> 1] as number;
  return middle >= LEAST ? Math.min(MOST, middle) : 1;

  /** Steps of the same height make an edge as wide as there are steps; one step outweighs many small ones. */
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
    return sum >= LEAST_CONTRAST ? (sum * sum) / squares : undefined;
  }
}
