import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { readAxis } from './axis/read-axis.ts';
import { findOnBackground } from './candles/backgrounds.ts';
import { findDenseSeries } from './candles/dense-series.ts';
import { asDrawn } from './candles/enlarged-pictures.ts';
import { findLooseSeries } from './candles/loose-series.ts';
import { plotOf } from './candles/plot.ts';
import type { Candle, Series } from './candles/series.ts';
import type { Shape } from './candles/shapes.ts';
import { type Curve, findCurve } from './line-chart/curves.ts';
import { levelsOf, trendBetween, trendOf } from './marks.ts';
import { hasGrid } from './pixels/grid.ts';
import { mapHues } from './pixels/hues.ts';
import type { InkMap } from './pixels/inks.ts';
import { findPalette, isDrawn, type Palette, shareOfMain } from './pixels/palette.ts';
import { type Picture, type Raster, toRaster, turn } from './pixels/picture.ts';
import { priceAt } from './price-at.ts';
import { DENSE, DOUBLE, PHOTOGRAPHED, TURNED, warningsOf } from './warnings.ts';

/** Minimum score of a chart. */
const MIN_SCORE = 0.45;
/** Minimum score in a photo, a turned picture, or by hue alone, where mistakes are likelier. */
const MIN_OTHERWISE = 0.7;

/** Shares of the main shades below which a picture was certainly, or perhaps, scaled down. */
const SHRUNK = 0.3;
const PERHAPS_SHRUNK = 0.5;
/** Candles at least this far apart, in pixels, keep their own color at any scale. */
const WIDE = 6;

const NOTHING = { plot: { x: 0, y: 0, width: 0, height: 0 }, candles: [], trend: 'flat' as const, levels: [], warnings: [] };

/** Reads a picture: its kind and content. Never throws; whatever is unclear is left out, with a warning. */
export function readChart(picture: Picture): ChartReading {
  const { reduced = 1 } = picture;
  const size = { width: Math.round(picture.width * reduced), height: Math.round(picture.height * reduced) };
  if (picture.width < 16 || picture.height < 16) return { kind: 'none', confidence: 1, ...size, ...NOTHING };
  const raster = toRaster(picture);
  const palette = findPalette(raster);
  const drawn = isDrawn(palette.colors, raster.width * raster.height);
  const main = drawn ? shareOfMain(palette) : 1;
  const dense = main < SHRUNK ? findDense(raster) : undefined;
  if (dense) return withPrices(fromSeries(dense.series, dense.map, raster, size), dense.series, raster);
  const { map, plain, shapes, series, columns } = findOnBackground(raster, palette, { soft: drawn });
  const isFound = series && isPrice(series, drawn ? MIN_SCORE : MIN_OTHERWISE);
  const denser = main >= SHRUNK && main < PERHAPS_SHRUNK && !(isFound && series.pitch >= WIDE) ? findDense(raster) : undefined;
  if (denser) return withPrices(fromSeries(denser.series, denser.map, raster, size), denser.series, raster);
  if (isFound) {
    const whole = asDrawn(series, raster);
    return withPrices(fromSeries(whole, map, raster, size), whole, raster);
  }

  const turned = findOnBackground(turn(raster), palette, { soft: false }).series;
  if (turned && isPrice(turned, MIN_OTHERWISE) && isHigh(turned)) return fromTurned(turned, raster, size);
  const curve = drawn ? findCurve(plain, palette) : undefined;
  const isChart = curve && curve.kind !== 'sum' && !(curve.kind === 'line' && isAmongCandles(curve, shapes));
  if (isChart) return fromCurve(curve, raster, size);
  if (columns || curve) return { kind: 'other', confidence: 0.7, ...size, ...NOTHING };
  const photographed = findPhotographed(raster, palette);
  if (photographed) return { ...fromSeries(photographed.series, photographed.map, raster, size), warnings: [PHOTOGRAPHED] };
  if (drawn && series && series.score >= MIN_SCORE) return { kind: 'other', confidence: round(series.score), ...size, ...NOTHING };
  if (drawn && hasGrid(raster)) return { kind: 'other', confidence: 0.5, ...size, ...NOTHING };
  return { kind: 'none', confidence: drawn ? 0.8 : 0.9, ...size, ...NOTHING };
}

const isPrice = ({ score, kind }: Series, least: number) => score >= least && (kind === 'candles' || kind === 'bars');

/** Parts of a line's width, and how many of them hold a candle or a bar beside an average of prices: at most 2 beside a line of prices. */
const PARTS = 20;
const MIN_HELD = 5;
/** Lower shapes are letters. */
const MIN_ROWS = 5;

/** Tests whether candles or bars are around a line, as around an average. */
function isAmongCandles({ left, right, top, bottom }: Curve, shapes: readonly Shape[]): boolean {
  const held = new Set<number>();
  for (const shape of shapes) {
    if (shape.kind === 'box' || shape.bottom - shape.top + 1 < MIN_ROWS) continue;
    if (shape.x < left || shape.x > right || shape.bottom < top || shape.top > bottom) continue;
    held.add(Math.floor((PARTS * (shape.x - left)) / (right - left + 1)));
  }
  return held.size >= MIN_HELD;
}

function findDense(raster: Raster): { map: InkMap; series: Series } | undefined {
  const dense = findDenseSeries(raster);
  return dense && isPrice(dense.series, MIN_OTHERWISE) ? dense : undefined;
}

/** Tests that a series is tall enough. Lines of text are long and low. */
function isHigh({ candles }: Series): boolean {
  const height = Math.max(...candles.map(({ low }) => low)) - Math.min(...candles.map(({ high }) => high));
  return height >= 0.15 * ((candles.at(-1)?.x ?? 0) - (candles[0]?.x ?? 0));
}

/** Finds candles by hue on the two largest surfaces: the screen, or its surroundings. */
function findPhotographed(raster: Raster, palette: Palette): { map: InkMap; series: Series } | undefined {
  for (const background of palette.colors.slice(0, 2)) {
    const map = mapHues(raster, palette, background);
    const series = findLooseSeries(map);
    if (series && isPrice(series, MIN_OTHERWISE)) return { map, series };
  }
  return undefined;
}

/** The upright direction is unknown, so the trend is too. */
function fromTurned(series: Series, { height, scale }: Raster, size: { width: number; height: number }): ChartReading {
  const top = Math.min(...series.candles.map(({ high }) => high));
  const bottom = Math.max(...series.candles.map(({ low }) => low));
  const left = series.candles[0]?.x ?? 0;
  const right = series.candles.at(-1)?.x ?? 0;
  return {
    ...NOTHING,
    kind: series.kind === 'bars' ? 'bars' : 'candles',
    confidence: round(0.8 * Math.min(1, series.score)),
    ...size,
    plot: scaled({ x: top, y: height - 1 - right, width: bottom - top, height: right - left }, scale),
    warnings: [TURNED],
  };
}

const scaled = ({ x, y, width, height }: ChartReading['plot'], scale: number): ChartReading['plot'] => ({
  x: Math.round(x * scale),
  y: Math.round(y * scale),
  width: Math.round(width * scale),
  height: Math.round(height * scale),
});

function fromSeries(series: Series, map: InkMap, raster: Raster, size: { width: number; height: number }): ChartReading {
  const { scale } = raster;
  return {
    kind: series.kind === 'bars' ? 'bars' : 'candles',
    confidence: round(Math.min(1, series.score)),
    ...size,
    plot: scaled(plotOf(map, series), scale),
    candles: series.candles.map((candle) => toPicture(candle, scale)),
    trend: trendOf(series.candles),
    levels: levelsOf(series.candles).map((level) => ({ ...level, y: place(level.y, scale) })),
    warnings: warningsOf(series, raster),
  };
}

/** Adds prices from the axis to the levels. With two charts, the axis could belong to either, so no prices. */
function withPrices(reading: ChartReading, series: Series, raster: Raster): ChartReading {
  const { scale } = raster;
  const read = reading.warnings.includes(DOUBLE) ? undefined : readAxis(raster, series);
  if (!read) return reading;
  const axis = { y: (read.y + 0.5) * scale - 0.5, price: read.price, perPixel: read.perPixel / scale };
  return { ...reading, axis, levels: reading.levels.map((level) => ({ ...level, price: priceAt(axis, level.y) })) };
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
    plot: scaled({ x: left, y: top, width: right - left + 1, height: bottom - top + 1 }, scale),
    trend: trendBetween(start, end, bottom - top),
    warnings: kind === 'line' ? [] : [DENSE],
  };
}

/** Converts the middle of a raster pixel to a position in the picture. */
const place = (at: number, scale: number) => round((at + 0.5) * scale - 0.5);

const toPicture = ({ x, high, low, open, close }: Candle, scale: number): Candle => ({
  x: place(x, scale),
  high: place(high, scale),
  low: place(low, scale),
  open: place(open, scale),
  close: place(close, scale),
});

const round = (value: number) => Math.round(value * 100) / 100;
