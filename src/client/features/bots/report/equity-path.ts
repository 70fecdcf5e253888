import type { BotReport } from '#contract/bots/bot.ts';

export interface CurvePoint {
  /** ms UTC. */
  at: number;
  /** USD. */
  equity: number;
  /** Percent of the box, from its left and top edges. */
  x: number;
  y: number;
}

export interface EquityPath {
  /** SVG path data in a box of 100 by 100. */
  line: string;
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

/** Scales an equity curve to a box: time from left to right, lowest to highest value. Undefined below two points in time. */
export function equityPath(equity: BotReport['equity'], start: number): EquityPath | undefined {
  const from = equity[0] && Date.parse(equity[0].at);
  // Times are rounded down to minutes, so the second can precede the first.
  const times = equity.map(({ at }) => Math.max(from ?? 0, Date.parse(at)));
  const to = times.at(-1);
  if (from === undefined || to === undefined || to <= from) return undefined;

  const values = equity.map((point) => point.equity);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [floor, ceiling] = [Math.min(low, start), Math.max(high, start)];
  const heightOf = (value: number) =>
    ceiling === floor ? 50 : round(MARGIN + ((ceiling - value) / (ceiling - floor)) * (100 - 2 * MARGIN));
  const points = values.map((value, index) => {
    const at = times[index] ?? from;
    return { at, equity: value, x: round(((at - from) / (to - from)) * 100), y: heightOf(value) };
  });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  return {
    line: points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(''),
    startY: heightOf(start),
    first,
    last,
    high,
    low,
    nearest: (place) =>
      points.reduce((best, each) => (Math.abs(each.x - place * 100) < Math.abs(best.x - place * 100) ? each : best), first),
  };
}
