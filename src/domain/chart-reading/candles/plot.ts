import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { BACKGROUND, type InkMap } from '../pixels/inks.ts';
import type { Series } from './series.ts';

type Box = ChartReading['plot'];

/** Space around the candles where no axis limits the plot, relative to its size. */
const AIR = 0.06;

/** Returns the area that holds the prices: from the candles to the axes, where they are visible. */
export function plotOf(map: InkMap, { candles, pitch }: Series): Box {
  const top = Math.min(...candles.map(({ high }) => high));
  const bottom = Math.max(...candles.map(({ low }) => low));
  const air = AIR * (bottom - top);
  const x = Math.max(0, wallFrom(map, Math.floor((candles[0]?.x ?? 0) - pitch), -1, top, bottom));
  const right = Math.min(map.width, wallFrom(map, Math.ceil((candles.at(-1)?.x ?? 0) + pitch), 1, top, bottom));
  const y = Math.max(0, Math.floor(top - air));
  return { x, y, width: right - x, height: Math.min(map.height, Math.ceil(bottom + air)) - y };
}

/** Returns the first column with the labels or the line of an axis: ink in many places. */
function wallFrom(map: InkMap, start: number, step: 1 | -1, top: number, bottom: number): number {
  const rows = bottom - top + 1;
  for (let x = start; x >= 0 && x < map.width; x += step) {
    let inked = 0;
    for (let y = top; y <= bottom; y++) if (map.ink[y * map.width + x] !== BACKGROUND) inked++;
    if (inked > 0.5 * rows) return x;
  }
  return step > 0 ? map.width : 0;
}
