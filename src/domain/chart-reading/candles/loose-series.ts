import type { InkMap } from '../pixels/inks.ts';
import { followPrice } from './follow-price.ts';
import type { Piece } from './pieces.ts';
import { MIN_CANDLES, type Series, toSeries } from './series.ts';
import { findShapes, type Shape } from './shapes.ts';

/** Finds unevenly spaced candles, as in a photo taken from the side: candle-like shapes in order along a price. */
export function findLooseSeries(map: InkMap): Series | undefined {
  const shapes = findShapes(map).filter(({ top, bottom }) => bottom - top >= 3);
  const width = [...shapes].sort((a, b) => a.width - b.width)[shapes.length >> 1]?.width ?? 0;
  const alike = shapes.filter((shape) => Math.abs(shape.width - width) <= Math.max(2, 0.35 * width)).sort((a, b) => a.x - b.x);
  if (alike.length < 2 * MIN_CANDLES) return undefined;
  const columns: Piece[][] = [];
  for (const shape of alike) {
    const column = columns.at(-1);
    const piece = toPiece(shape, column && shape.x - (column[0]?.x ?? 0) < 0.6 * width ? columns.length - 1 : columns.length);
    if (column && piece.place === columns.length - 1) column.push(piece);
    else columns.push([piece]);
  }
  const path = followPrice(columns);
  if (path.length < 2 * MIN_CANDLES) return undefined;
  const pitch = ((path.at(-1)?.x ?? 0) - (path[0]?.x ?? 0)) / (path.length - 1);
  return toSeries(path, { inks: new Set([1, 2]), width, pitch, clear: 1 });
}

const toPiece = ({ x, top, bottom, bodyTop, bodyBottom, ink }: Shape, place: number): Piece => ({
  place,
  x,
  top,
  bottom,
  bodyTop,
  bodyBottom,
  bodyRows: Math.round(bodyBottom - bodyTop) + 1,
  ink,
  fill: undefined,
  ticks: undefined,
  covered: 0,
});
