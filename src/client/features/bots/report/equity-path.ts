import type { BotReport } from '#contract/bots/bot.ts';

export interface CurvePoint {
  /** ms UTC. */
  at: number;
  /** USD. */
  equity: number;
  /** Percent of the box, from its left and top edges. */
  x: number;
  y: number;
  /** USD of the second curve at this time. */
  beside?: number | undefined;
}

export interface EquityPath {
  /** SVG path data in a box of 100 by 100. */
  line: string;
  /** The second curve in the same box; undefined without one. */
  besideLine: string | undefined;
  /** Height of the baseline, the money at the start. */
  startY: number;
  first: CurvePoint;
  last: CurvePoint;
  high: number;
  low: number;
  /** Returns the point nearest to a place, 0 to 1 from the left. */
  nearest: (place: number) => CurvePoint;
}

/** Percent of the box above the highest and below the lowest point. */
const MARGIN = 6;

const round = (value: number): number => Math.round(value * 100) / 100;

const lineOf = (points: readonly Pick<CurvePoint, 'x' | 'y'>[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');

/**
 * Scales an equity curve to a box: time from left to right, lowest to highest value. Undefined below two points in time.
 * @param beside a second curve with points at the same times.
 */
export function equityPath(equity: BotReport['equity'], start: number, beside: BotReport['equity'] = []): EquityPath | undefined {
  const from = equity[0] && Date.parse(equity[0].at);
  // Times are rounded down to minutes, so the second can precede the first.
  const times = equity.map(({ at }) => Math.max(from ?? 0, Date.parse(at)));
  const to = times.at(-1);
  if (from === undefined || to === undefined || to <= from) return undefined;

  const values = equity.map((point) => point.equity);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const all = [low, high, start, ...beside.map((point) => point.equity)];
  const [floor, ceiling] = [Math.min(...all), Math.max(...all)];
  const heightOf = (value: number) =>
    ceiling === floor ? 50 : round(MARGIN + ((ceiling - value) / (ceiling - floor)) * (100 - 2 * MARGIN));
  const points = values.map((value, index) => {
    const at = times[index] ?? from;
    return { at, equity: value, x: round(((at - from) / (to - from)) * 100), y: heightOf(value), beside: beside[index]?.equity };
  });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  return {
    line: lineOf(points),
    besideLine: beside.length > 0 ? lineOf(points.map(({ x, beside: usd = start }) => ({ x, y: heightOf(usd) }))) : undefined,
    startY: heightOf(start),
    first,
    last,
    high,
    low,
    nearest: (place) =>
      points.reduce((best, each) => (Math.abs(each.x - place * 100) < Math.abs(best.x - place * 100) ? each : best), first),
  };
}
