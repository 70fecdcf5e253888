import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import { isRead } from '#domain/chart-reading/is-read.ts';
import { type NamedChartLevel, nameLevels } from '#domain/chart-reading/level-names.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatUnitless } from '#domain/format/format-unitless.ts';
import styles from './picture-marks.module.css';

/** Maximum number of lines of each kind, so that they do not cover the chart. */
const EACH_KIND = 4;
/** Names closer to each other, as a share of the height, would overlap: the next one is written beside them. */
const NAME_HEIGHT = 0.08;
/** Width of a name with its margin, in CSS pixels. */
const NAME_WIDTH = 26;

interface PictureMarksProps {
  marks: ChartMarks;
  /** The picture is too small for names. */
  isSmall?: boolean;
}

/**
 * Draws levels over their picture, with their names as the text has them. Place it next to the picture in a box of the same shape; it
 * covers the box. `describeMarks` is the text alternative.
 */
export function PictureMarks({ marks: { width, height, plot, levels }, isSmall }: PictureMarksProps) {
  const across = (x: number) => `${(100 * x) / Math.max(1, width)}%`;
  const down = (y: number) => `${(100 * y) / Math.max(1, height)}%`;
  const from = across(plot.width > 0 ? plot.x : 0);
  const to = across(plot.width > 0 ? plot.x + plot.width : width);
  const drawn = nameLevels(levels, EACH_KIND);
  return (
    <svg className={styles.marks} aria-hidden="true">
      {drawn.map((level) => (
        <g key={level.name} className={styles[level.kind]}>
          <line className={styles.halo} x1={from} x2={to} y1={down(level.y)} y2={down(level.y)} />
          <line className={styles.level} x1={from} x2={to} y1={down(level.y)} y2={down(level.y)} />
        </g>
      ))}
      {!isSmall &&
        placed(drawn, NAME_HEIGHT * height).map(({ level, column }) => (
          <text
            key={level.name}
            className={`${styles.name} ${styles[level.kind]}`}
            x={from}
            y={down(level.y)}
            dx={4 + column * NAME_WIDTH}
            dy="0.35em"
          >
            {level.name}
          </text>
        ))}
    </svg>
  );
}

/** Returns the names with their columns from the left: names of one column are apart. */
function placed(levels: readonly NamedChartLevel[], distance: number): { level: NamedChartLevel; column: number }[] {
  const columns: NamedChartLevel[][] = [];
  return levels.map((level) => {
    const free = columns.findIndex((others) => others.every(({ y }) => Math.abs(y - level.y) >= distance));
    const column = free < 0 ? columns.length : free;
    columns[column] = [...(columns[column] ?? []), level];
    return { level, column };
  });
}

const TRENDS = { up: 'rising', down: 'falling', flat: 'sideways' } as const;

/** Describes a reading in one line, for captions and screen readers. */
export function describeMarks(marks: ChartMarks): string {
  const { kind, trend, levels } = marks;
  if (kind === 'none') return 'No chart found in this picture.';
  if (kind === 'other') return 'A chart, but not one of prices.';
  if (!isRead(marks)) return 'This chart is too unclear to read.';
  const supports = levels.filter((level) => level.kind === 'support');
  const resistances = levels.length - supports.length;
  const parts = [`Trend ${TRENDS[trend]}`];
  if (supports.length > 0) parts.push(formatCount(supports.length, 'support'));
  if (resistances > 0) parts.push(formatCount(resistances, 'resistance'));
  if (levels.length === 0) parts.push('no level was touched twice');
  const prices = nameLevels(levels).flatMap(({ name, price }) => (price === undefined ? [] : [`${name} ${formatUnitless(price)}`]));
  return parts.join(' · ') + (prices.length > 0 ? `, by its axis about ${prices.join(', ')}` : '');
}
