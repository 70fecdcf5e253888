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

it('draws each level across the plot, in pixels of the picture', () => {
  const { container } = render(<PictureMarks marks={marks()} />);
  expect(container.querySelector('svg')?.getAttribute('viewBox')).toBe('0 0 400 300');
  const lines = [...container.querySelectorAll('g > line:last-child')];
  expect(lines.map((line) => ['x1', 'x2', 'y1', 'y2'].map((name) => line.getAttribute(name)))).toEqual([
    ['20', '360', '200', '200'],
    ['20', '360', '60', '60'],
    ['20', '360', '90', '90'],
  ]);
});

it.each([
  [marks(), 'Trend falling · 1 support · 2 resistances at about 95,000 by its axis'],
  [marks({ trend: 'flat', levels: [] }), 'Trend sideways · no level was touched twice'],
  [marks({ kind: 'other' }), 'A chart, but not one of prices.'],
  [marks({ kind: 'none' }), 'No chart found in this picture.'],
])('says in words what it shows (%#)', (reading, words) => {
  expect(describeMarks(reading)).toBe(words);
});
