import { dayOf } from '#domain/clock.ts';
import type { EquityPoint } from './run-backtest.ts';
import { thin } from './thin.ts';

const WIDTH = 960;
const HEIGHT = 480;
const MARGIN = { left: 72, right: 16, top: 40, bottom: 32 };
/** More points than pixels are not visible. */
const MAX_POINTS = 800;
const LEAST_LINES = 3;
const MAX_EVEN_LINES = 6;

export interface Course {
  name: string;
  color: string;
  equity: readonly EquityPoint[];
}

/** Draws equity curves as SVG, on a logarithmic scale. All curves must begin and end at the same times. */
export function drawEquity(courses: readonly Course[], title: string): string {
  const points = courses.flatMap(({ equity }) => equity);
  const values = points.map(({ equity }) => Math.max(equity, 1));
  const [low, high] = [least(values) * 0.95, most(values) * 1.05];
  const [from, to] = [least(points.map(({ at }) => at)), most(points.map(({ at }) => at))];
  const x = (at: number) => MARGIN.left + ((at - from) / Math.max(to - from, 1)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (usd: number) =>
    HEIGHT - MARGIN.bottom - (Math.log(Math.max(usd, 1) / low) / Math.log(high / low)) * (HEIGHT - MARGIN.top - MARGIN.bottom);

  const lines = courses.map(({ color, equity }) => {
    const path = thin(equity, MAX_POINTS).map((point) => `${x(point.at).toFixed(1)},${y(point.equity).toFixed(1)}`);
    return `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${path.join(' ')}"/>`;
  });
  const legend = courses.map(
    ({ name, color }, index) => `<text x="${MARGIN.left + 330 + index * 160}" y="24" fill="${color}">${escapeXml(name)}</text>`,
  );
  const grid = roundValues(low, high).map(
    (usd) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(usd).toFixed(1)}" y2="${y(usd).toFixed(1)}" stroke="#ddd"/>` +
      `<text x="${MARGIN.left - 8}" y="${(y(usd) + 4).toFixed(1)}" text-anchor="end">${usd.toLocaleString('en-US')}</text>`,
  );
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) => from + (to - from) * part);
  const dates = times.map(
    (at, index) =>
      `<text x="${x(at).toFixed(1)}" y="${HEIGHT - 10}" text-anchor="${['start', 'middle', 'middle', 'middle', 'end'][index]}">` +
      `${dayOf(at)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#444">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="24" font-size="14" fill="#111">${escapeXml(title)}</text>`,
    ...legend,
    ...grid,
    ...dates,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

/** Returns grid lines between two values: 1, 2 and 5 times powers of ten, or even steps if those are too few. */
function roundValues(low: number, high: number): number[] {
  const found: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    found.push(...[1, 2, 5].map((digit) => digit * power).filter((value) => value >= low && value <= high));
  return found.length < LEAST_LINES ? evenValues(low, high) : found;
}

function evenValues(low: number, high: number): number[] {
  const apart = (high - low) / MAX_EVEN_LINES;
  const power = 10 ** Math.floor(Math.log10(apart));
  const step = power * ([1, 2, 5].find((digit) => digit * power >= apart) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

// Math.min(...values) fails for hundreds of thousands of values.
const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
