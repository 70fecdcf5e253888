import { describe, expect, it } from 'vitest';
import { levelsOf, swingsOf, trendOf } from '#domain/chart-reading/marks.ts';

/** Candles 10 columns apart that reach one row above and below a row. Rows increase downward. */
const candles = (...rows: number[]) => rows.map((row, index) => ({ x: index * 10, high: row - 1, low: row + 1, open: row, close: row }));

/** Up to `peak` and back to `base`, in six steps each. */
const hill = (base: number, peak: number) => Array.from({ length: 12 }, (_, step) => base + ((peak - base) * (6 - Math.abs(6 - step))) / 6);

describe('trend', () => {
  const between = (open: number, close: number) =>
    trendOf([
      { x: 0, high: 0, low: 100, open, close: open },
      { x: 10, high: 0, low: 100, open: close, close },
    ]);

  it('needs more than a tenth of the visible range', () => {
    expect(between(50, 40)).toBe('flat');
    expect(between(50, 39)).toBe('up');
    expect(between(50, 61)).toBe('down');
  });

  it('is flat without candles', () => {
    expect(trendOf([])).toBe('flat');
  });
});

describe('swings', () => {
  it('stand out over five candles to each side', () => {
    const swings = swingsOf(candles(...hill(200, 100), ...hill(200, 120), 200));
    expect(swings.map(({ kind, y }) => [kind, y])).toEqual([
      ['high', 99],
      ['low', 201],
      ['high', 119],
    ]);
  });

  it('are on the row of an earlier extreme that is no swing itself', () => {
    // The low at index 12 is behind a lower one at 7, and the one at 14 is not.
    const rows = [...Array(7).fill(100), 210, 150, 150, 150, 150, 200, 150, 200, 150, 150, 150, 150, 150, 150];
    expect(swingsOf(candles(...rows)).filter(({ kind }) => kind === 'low')).toMatchObject([{ index: 7 }, { index: 14 }]);
  });

  it('are one where the price stays at its extreme', () => {
    const rows = [...hill(200, 100).slice(0, 6), ...Array(20).fill(100), ...hill(200, 100).slice(6), 200];
    expect(swingsOf(candles(...rows)).filter(({ kind }) => kind === 'high')).toMatchObject([{ index: 6 }]);
  });
});

describe('levels', () => {
  it('are turns within 1.5% of the range, two at least', () => {
    // 201 rows are visible: 3 rows apart is one level, 5 rows apart are two.
    const rows = [...hill(200, 0), ...hill(200, 100), ...hill(200, 103), ...hill(200, 110), 200];
    const levels = levelsOf(candles(...rows));
    expect(levels.map(({ y, touches }) => [Math.round(y), touches])).toEqual([
      [101, 2],
      [201, 3],
    ]);
  });

  it('resist above the last close and support below it', () => {
    const rows = [...hill(200, 100), ...hill(200, 100), ...hill(200, 100), 200, 180, 150];
    expect(levelsOf(candles(...rows)).map(({ kind }) => kind)).toEqual(['resistance', 'support']);
  });

  it('are eight at most, those touched most often', () => {
    const rows = Array.from({ length: 12 }, (_, level) => [...hill(400, 30 * level), ...hill(400, 30 * level)]).flat();
    const levels = levelsOf(candles(...rows, ...hill(400, 330), 400));
    expect(levels).toHaveLength(8);
    expect(levels.find(({ y }) => Math.abs(y - 329) < 2)?.touches).toBe(3);
  });

  it('are none without candles', () => {
    expect(levelsOf([])).toEqual([]);
  });
});
