import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { describeMarks, PictureMarks } from '#client/features/chat/picture/picture-marks.tsx';
import type { ChartLevel, ChartMarks } from '#contract/chat/chart-reading.ts';

const level = (kind: ChartLevel['kind'], y: number, price?: number): ChartLevel => ({ kind, y, touches: 2, ...(price && { price }) });
const marks = (more: Partial<ChartMarks> = {}): ChartMarks => ({
  kind: 'candles',
  confidence: 0.9,
  width: 400,
  height: 300,
  plot: { x: 20, y: 10, width: 340, height: 240 },
  trend: 'down',
  levels: [level('support', 200, 95_000), level('resistance', 60), level('resistance', 90)],
  warnings: [],
  ...more,
});

const at = (line: Element) => ['x1', 'x2', 'y1', 'y2'].map((name) => line.getAttribute(name));

it('draws each level across the plot and names it as the text does, in shares of the picture', () => {
  const { container } = render(<PictureMarks marks={marks()} />);
  expect([...container.querySelectorAll('g > line:nth-child(2)')].map(at)).toEqual([
    ['5%', '90%', '30%', '30%'],
    ['5%', '90%', '20%', '20%'],
    ['5%', '90%', `${(100 * 200) / 300}%`, `${(100 * 200) / 300}%`],
  ]);
  expect([...container.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(['R1', 'R2', 'S1']);
});

it('writes the names of near levels beside each other, and none in a small picture', () => {
  const near = marks({ levels: [level('resistance', 60), level('resistance', 50), level('resistance', 20)] });
  const { container, rerender } = render(<PictureMarks marks={near} />);
  const names = [...container.querySelectorAll('text')].map((name) => [name.textContent, name.getAttribute('dx')]);
  expect(names).toEqual([
    ['R1', '4'],
    ['R2', '30'],
    ['R3', '4'],
  ]);
  rerender(<PictureMarks marks={near} isSmall />);
  expect(container.querySelector('text')).toBeNull();
});

it('draws the four levels of each kind that are next to the price', () => {
  const levels = [90, 80, 70, 60, 50].flatMap((y) => [level('resistance', y), level('support', 300 - y)]);
  const { container } = render(<PictureMarks marks={marks({ levels })} />);
  const rows = [...container.querySelectorAll('g > line:nth-child(2)')].map((line) => Number.parseFloat(line.getAttribute('y1') ?? ''));
  expect(rows.map((share) => Math.round(share * 3))).toEqual([90, 80, 70, 60, 210, 220, 230, 240]);
});

it.each([
  [marks(), 'Trend falling · 1 support · 2 resistances, by its axis about S1 95,000'],
  [marks({ trend: 'flat', levels: [] }), 'Trend sideways · no level was touched twice'],
  [marks({ kind: 'other' }), 'A chart, but not one of prices.'],
  [marks({ kind: 'none' }), 'No chart found in this picture.'],
  [marks({ confidence: 0.59 }), 'This chart is too unclear to read.'],
])('says in words what it shows (%#)', (reading, words) => {
  expect(describeMarks(reading)).toBe(words);
});
