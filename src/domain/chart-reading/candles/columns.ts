import { groupByInk } from './candle-inks.ts';
import type { Shape } from './shapes.ts';

const MIN_COLUMNS = 12;
/** Minimum share of columns that differ in height. */
const MIN_VARIED = 0.3;

/** Tests for a row of columns, as in a volume chart: equal widths, one baseline, many heights. */
export function hasColumns(shapes: readonly Shape[]): boolean {
  for (const own of groupByInk(shapes.filter(({ kind }) => kind === 'box')).values()) {
    const rows = new Map<number, Shape[]>();
    for (const shape of own) rows.set(shape.bottom, [...(rows.get(shape.bottom) ?? []), shape]);
    for (const row of rows.values()) {
      const width = [...row].sort((a, b) => a.width - b.width)[row.length >> 1]?.width ?? 0;
      const alike = row.filter((shape) => Math.abs(shape.width - width) <= 1);
      if (alike.length >= MIN_COLUMNS && new Set(alike.map(({ top }) => top)).size >= MIN_VARIED * alike.length) return true;
    }
  }
  return false;
}
