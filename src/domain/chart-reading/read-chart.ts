import type { ChartReading } from '../../contract/chart-reading';
import { findOnBackground } from './backgrounds';
import type { Candle, Series } from './candles';
import { type Curve, findCurve } from './curves';
import type { InkMap } from './inks';
import { levelsOf, trendBetween, trendOf } from './marks';
import { findPalette, isDrawn } from './palette';
import { type Picture, type Raster, toRaster } from './picture';
import { plotOf } from './plot';

/** A score below which what was found is not taken for a chart. */
const LEAST_SCORE = 0.45;

const NOTHING = { plot: { x: 0, y: 0, width: 0, height: 0 }, candles: [], trend: 'flat' as const, levels: [], warnings: [] };

/** Reads a picture: whether it is a chart, and what it shows. Never throws; what cannot be told is left out, with a warning. */
export function readChart(picture: Picture): ChartReading {
  const { reduced = 1 } = picture;
  const size = { width: Math.round(picture.width * reduced), height: Math.round(picture.height * reduced) };
  if (picture.width < 16 || picture.height < 16) return { kind: 'none', confidence: 1, ...size, ...NOTHING };
  const raster = toRaster(picture);
  const palette = findPalette(raster);
  const { map, series, columns } = findOnBackground(raster, palette);
  if (series && series.score >= LEAST_SCORE && (series.kind === 'candles' || series.kind === 'bars'))
    return fromSeries(series, map, raster, size);
  const curve = isDrawn(palette.colours, raster.width * raster.height) ? findCurve(map, palette) : undefined;
  if (curve) return fromCurve(curve, raster, size);
  if (columns) return { kind: 'other', confidence: 0.7, ...size, ...NOTHING };
  if (series && series.score >= LEAST_SCORE) return { kind: 'other', confidence: round(series.score), ...size, ...NOTHING };
  return { kind: 'none', confidence: 0.8, ...size, ...NOTHING };
}

function fromSeries(series: Series, map: InkMap, { scale }: Raster, size: { width: number; height: number }): ChartReading {
  const plot = plotOf(map, series);
  return {
    kind: series.kind === 'bars' ? 'bars' : 'candles',
    confidence: round(Math.min(1, series.score)),
    ...size,
    plot: { x: plot.x * scale, y: plot.y * scale, width: plot.width * scale, height: plot.height * scale },
    candles: series.candles.map((candle) => toPicture(candle, scale)),
    trend: trendOf(series.candles),
    levels: levelsOf(series.candles).map((level) => ({ ...level, y: place(level.y, scale) })),
    warnings: [],
  };
}

function fromCurve(
  { kind, left, right, top, bottom, start, end, reach }: Curve,
  { scale }: Raster,
  size: { width: number; height: number },
): ChartReading {
  return {
    ...NOTHING,
    kind: kind === 'line' ? 'line' : 'candles',
    confidence: round(Math.min(0.9, 0.4 + 0.5 * reach)),
    ...size,
    plot: { x: left * scale, y: top * scale, width: (right - left + 1) * scale, height: (bottom - top + 1) * scale },
    trend: trendBetween(start, end, bottom - top),
    warnings: kind === 'line' ? [] : ['The candles are too close together to be read one by one.'],
  };
}

/** The middle of a pixel of the raster, in the picture. */
const place = (at: number, scale: number) => round((at + 0.5) * scale - 0.5);

const toPicture = ({ x, high, low, open, close }: Candle, scale: number): Candle => ({
  x: place(x, scale),
  high: place(high, scale),
  low: place(low, scale),
  open: place(open, scale),
  close: place(close, scale),
});

const round = (value: number) => Math.round(value * 100) / 100;
