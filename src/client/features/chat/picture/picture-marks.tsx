import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatUnitless } from '#domain/format/format-unitless.ts';
import styles from './picture-marks.module.css';

/** Maximum number of lines, so that they do not cover the chart. */
const MAX_MARKS = 8;

/**
 * Draws levels over their picture. Place it next to the picture in a box of the same shape; it covers the box.
 * `describeMarks` is the text alternative.
 */
export function PictureMarks({ marks }: { marks: ChartMarks }) {
  const { width, height, plot, levels } = marks;
  const from = plot.width > 0 ? plot.x : 0;
  const to = plot.width > 0 ? plot.x + plot.width : width;
  return (
    <svg className={styles.marks} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {levels.slice(0, MAX_MARKS).map(({ kind, y }) => (
        <g key={`${kind}-${y}`} className={styles[kind]}>
          <line className={styles.halo} x1={from} x2={to} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
          <line className={styles.level} x1={from} x2={to} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
        </g>
      ))}
    </svg>
  );
}

const TRENDS = { up: 'rising', down: 'falling', flat: 'sideways' } as const;

/** Describes a reading in one line, for captions and screen readers. */
export function describeMarks({ kind, trend, levels }: ChartMarks): string {
  if (kind === 'none') return 'No chart found in this picture.';
  if (kind === 'other') return 'A chart, but not one of prices.';
  const supports = levels.filter((level) => level.kind === 'support');
  const resistances = levels.length - supports.length;
  const parts = [`Trend ${TRENDS[trend]}`];
  if (supports.length > 0) parts.push(formatCount(supports.length, 'support'));
  if (resistances > 0) parts.push(formatCount(resistances, 'resistance'));
  if (levels.length === 0) parts.push('no level was touched twice');
  const prices = levels.flatMap(({ price }) => (price === undefined ? [] : [formatUnitless(price)]));
  return parts.join(' · ') + (prices.length > 0 ? ` at about ${prices.join(', ')} by its axis` : '');
}
