import { type InkMap, mapInks } from '../pixels/inks.ts';
import { removeLines } from '../pixels/lines.ts';
import type { Palette } from '../pixels/palette.ts';
import type { Raster } from '../pixels/picture.ts';
import { mendSoftEdges } from '../pixels/soft-edges.ts';
import { hasColumns } from './columns.ts';
import { CERTAIN, findSeries, type Series } from './series.ts';
import { findShapes } from './shapes.ts';

/** Colours that are tried as the one the chart lies on, and the least share of the picture of all but the first. */
const MOST_BACKGROUNDS = 3;
const LEAST_BACKGROUND = 0.06;

export interface Found {
  /** The inks on the background that shows most. */
  map: InkMap;
  /** The same with soft edges as they are: curves have them too. */
  plain: InkMap;
  series: Series | undefined;
  /** Whether there is a row of columns, as in a chart of volumes. */
  columns: boolean;
}

/** The candles on whichever background of the picture shows them best; soft edges are mended where they may be of use. */
export function findOnBackground(raster: Raster, { colours, shades }: Palette, { soft }: { soft: boolean }): Found {
  const area = raster.width * raster.height;
  let best: Found | undefined;
  for (const background of colours.slice(0, MOST_BACKGROUNDS)) {
    if (best && (background.count < LEAST_BACKGROUND * area || (best.series?.score ?? 0) > CERTAIN)) break;
    const plain = mapInks(raster, { colours, shades }, background);
    const map = soft ? mendSoftEdges(plain, raster, colours, background) : plain;
    removeLines(map);
    if (plain !== map) removeLines(plain);
    const shapes = findShapes(map);
    const series = findSeries(map, shapes);
    const columns = hasColumns(shapes) || best?.columns === true;
    best = !best || (series?.score ?? 0) > (best.series?.score ?? 0) ? { map, plain, series, columns } : { ...best, columns };
  }
  const blank = { width: raster.width, height: raster.height, ink: new Uint8Array(area) };
  return best ?? { map: blank, plain: blank, series: undefined, columns: false };
}
