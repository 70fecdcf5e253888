import { describe, expect, it } from 'vitest';
import { isCovered, labeledLevels, labeledMarks, withRoom } from '#client/coins/chart/labels.ts';
import type { DrawnLevel, DrawnMark } from '#client/coins/chart/overlays.ts';

/** One pixel for ten dollars, and one for a second. */
const placeOf = (price: number) => price / 10;
const level = (price: number, strength = 1): DrawnLevel => ({ price, kind: 'support', strength });
const mark = (time: number, text: string, shape: DrawnMark['shape'] = 'arrowUp'): DrawnMark => ({ time, text, shape, tone: 'up' });

it('gives room to the first of labels that overlap, and none to one out of view', () => {
  const spans = [[0, 10], [5, 15], [10, 20], null] as const;
  expect(withRoom(spans)).toEqual([true, false, true, false]);
});

describe('labels of levels', () => {
  it('show the strongest of prices that are close, and none over the price, stop or target', () => {
    const [near, weaker, stronger, far, faint] = [level(1050), level(2000, 0.8), level(2100, 0.9), level(3000), level(5000, 0.4)];
    const labeled = labeledLevels({ levels: [near, weaker, stronger, far, faint], fixed: [1000], placeOf });
    expect(labeled).toEqual([far, stronger]);
  });

  it('hide the ticks that they cover', () => {
    expect(isCovered(1000, [1100], placeOf)).toBe(true);
    expect(isCovered(1000, [1300], placeOf)).toBe(false);
    expect(isCovered(1000, [1100], () => null)).toBe(false);
  });
});

describe('texts of marks', () => {
  const texts = (marks: DrawnMark[], width = 1000, hasTitles = false) =>
    labeledMarks({ marks, placeOf: (time) => time, width, hasTitles }).map(({ text }) => text);

  it('keep the newest of those that are close on one side of the candles, and every arrow', () => {
    expect(texts([mark(100, 'Long'), mark(110, 'Short', 'arrowDown'), mark(120, '+$1.00'), mark(300, 'Long')])).toEqual([
      '',
      'Short',
      '+$1.00',
      'Long',
    ]);
  });

  it('are not cut off at the end, nor covered by the titles of lines', () => {
    expect(texts([mark(290, 'Long')], 300)).toEqual(['']);
    expect(texts([mark(250, 'Long')], 300)).toEqual(['Long']);
    expect(texts([mark(250, 'Long')], 300, true)).toEqual(['']);
  });
});
