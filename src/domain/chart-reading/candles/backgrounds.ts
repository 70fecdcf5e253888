import { type InkMap, mapInks } from '../pixels/inks.ts';
import { removeLines } from '../pixels/lines.ts';
import type { Palette } from '../pixels/palette.ts';
import type { Raster } from '../pixels/picture.ts';
import { mendSoftEdges } from '../pixels/soft-edges.ts';
import { hasColumns } from './columns.ts';
import { CERTAIN, findSeries, type Series } from './series.ts';
import { findShapes, type Shape } from './shapes.ts';

/** How many colors to try as the background, and the minimum share of the picture for all but the first. */
const MAX_BACKGROUNDS = 3;
const MIN_BACKGROUND = 0.06;

export interface Found {
  /** The inks on the background with the best candles. */
  map: InkMap;
  /** The same inks with soft edges kept, because curves have soft edges too. */
  plain: InkMap;
  /** Every shape that could be a candle or a bar. */
  shapes: readonly Shape[];
  series: Series | undefined;
  /** True if the picture has a row of columns, like a volume chart. */
  columns: boolean;
}

/** Finds the candles on the background that shows them best, and mends soft edges if `soft`. */
export function findOnBackground(raster: Raster, { colors, shades }: Palette, { soft }: { soft: boolean }): Found {
  const area = raster.width * raster.height;
  let best: Found | undefined;
  for (const background of colors.slice(0, MAX_BACKGROUNDS)) {
    if (best && (background.count < MIN_BACKGROUND * area || (best.series?.score ?? 0) > CERTAIN)) break;
    const plain = mapInks(raster, { colors, shades }, background);
    const map = soft ? mendSoftEdges(plain, raster, colors, background) : plain;
    removeLines(map);
    if (plain !== map) removeLines(plain);
    const shapes = findShapes(map);
    const series = findSeries(map, shapes);
    const columns = hasColumns(shapes) || best?.columns === true;
    best = !best || (series?.score ?? 0) > (best.series?.score ?? 0) ? { map, plain, shapes, series, columns } : { ...best, columns };
  }
  const blank = { width: raster.width, height: raster.height, ink: new Uint8Array(area) };
  return best ?? { map: blank, plain: blank, shapes: [], series: undefined, columns: false };
}
