import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import { isRead } from '#domain/chart-reading/is-read.ts';
import { type NamedChartLevel, nameLevels } from '#domain/chart-reading/level-names.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatUnitless } from '#domain/format/format-unitless.ts';
import styles from './picture-marks.module.css';

/** Maximum number of lines of each kind, so that they do not cover the chart. */
const EACH_KIND = 4;
/** Names closer to each other, as a share of the height, would overlap. */
const NAME_HEIGHT = 0.06;

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
  const named = isSmall ? [] : withoutOverlap(drawn, NAME_HEIGHT * height);
  return (
    <svg className={styles.marks} aria-hidden="true">
      {drawn.map((level) => (
        <g key={level.name} className={styles[level.kind]}>
          <line className={styles.halo} x1={from} x2={to} y1={down(level.y)} y2={down(level.y)} />
          <line className={styles.level} x1={from} x2={to} y1={down(level.y)} y2={down(level.y)} />
          {named.includes(level) && (
            <text className={styles.name} x={from} y={down(level.y)} dx={4} dy={-4}>
              {level.name}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** Leaves out levels that are too near to one before them. */
function withoutOverlap(levels: readonly NamedChartLevel[], distance: number): NamedChartLevel[] {
  const apart: NamedChartLevel[] = [];
  for (const level of levels) if (apart.every(({ y }) => Math.abs(y - level.y) >= distance)) apart.push(level);
  return apart;
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
