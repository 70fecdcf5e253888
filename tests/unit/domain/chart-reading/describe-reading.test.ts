import { describe, expect, it } from 'vitest';
import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { describeReading, marksOf } from '#domain/chart-reading/describe-reading.ts';
import { isRead } from '#domain/chart-reading/is-read.ts';
import { readChart } from '#domain/chart-reading/read-chart.ts';
import { PHOTOGRAPHED } from '#domain/chart-reading/warnings.ts';
import { drawChart } from '#tests/support/charts/drawn-chart.ts';

const reading = (parts: Partial<ChartReading>): ChartReading => ({
  kind: 'candles',
  confidence: 0.92,
  width: 400,
  height: 300,
  plot: { x: 0, y: 0, width: 400, height: 200 },
  candles: [
    { x: 10, high: 90, low: 160, open: 150, close: 100 },
    { x: 20, high: 40, low: 110, open: 100, close: 50 },
  ],
  trend: 'up',
  levels: [],
  warnings: [],
  ...parts,
});

describe('describing a reading', () => {
  it('states the kind, the confidence and the trend', () => {
    const text = describeReading(reading({}));
    expect(text).toContain('candle chart with 2 candles. Confidence: high (92%).');
    expect(text).toContain('the last close is 83% of the visible range above the first open');
    expect(text).toContain('no advice');
  });

  it('gives levels as positions without an axis', () => {
    const text = describeReading(reading({ levels: [{ kind: 'resistance', y: 20, touches: 3 }] }));
    expect(text).toContain("- **R1** at 10% of the plot's height from the top, 3 touches");
    expect(text).not.toContain('axis');
  });

  it('gives prices with an axis, as precise as one pixel', () => {
    const levels: ChartReading['levels'] = [
      { kind: 'resistance', y: 20, price: 63_870, touches: 3 },
      { kind: 'support', y: 150, price: 61_250, touches: 2 },
    ];
    const text = describeReading(reading({ levels, axis: { y: 0, price: 64_271.4, perPixel: -20.13 } }));
    expect(text).toContain('above the first open, from about 61,250 to about 63,260.');
    expect(text).toContain('- **R1** about 63,870, 3 touches');
    expect(text.indexOf('Resistance')).toBeLessThan(text.indexOf('Support'));
    expect(text).toContain("Prices come from the picture's axis, accurate to about 20 (one pixel). Their currency is unknown.");
  });

  it('passes warnings on', () => {
    expect(describeReading(reading({ warnings: ['Something is odd.'] }))).toContain('**Caution:** Something is odd.');
  });

  it('numbers the levels of each kind from the price outward', () => {
    const level = (kind: 'support' | 'resistance', y: number) => ({ kind, y, touches: 2 });
    const levels = [level('resistance', 20), level('resistance', 40), level('support', 180), level('support', 120)];
    expect(describeReading(reading({ levels })).match(/\*\*[RS]\d\*\* at \d+%/g)).toEqual([
      '**R1** at 20%',
      '**R2** at 10%',
      '**S1** at 60%',
      '**S2** at 90%',
    ]);
  });

  it('declines a chart below 60% confidence: it says why and what would help, and names no trend and no level', () => {
    const levels: ChartReading['levels'] = [{ kind: 'support', y: 150, price: 61_250, touches: 2 }];
    const unclear = reading({ confidence: 0.59, levels, axis: { y: 0, price: 64_271.4, perPixel: -20.13 }, warnings: [PHOTOGRAPHED] });
    const text = describeReading(unclear);
    expect(text).toMatch(/^I can't read this chart with enough confidence \(59%\)/);
    expect(text).toContain(PHOTOGRAPHED);
    expect(text).toContain('- Take a screenshot instead of a photograph.');
    expect(text).not.toMatch(/61,250|Trend|Support/);
    expect(isRead(unclear)).toBe(false);
    expect(marksOf(unclear)).toMatchObject({ levels: [], trend: 'flat' });
    expect(marksOf(unclear)).not.toHaveProperty('axis');
    expect(marksOf(reading({ confidence: 0.6, levels })).levels).toEqual(levels);
    expect(describeReading(reading({ confidence: 0.3 }))).toContain('- Send a sharp screenshot in its original size.');
  });

  it('declines a picture without a chart in one polite paragraph', () => {
    const none = reading({ kind: 'none', candles: [] });
    expect(isRead(none)).toBe(false);
    expect(describeReading(none)).toMatch(/^I can't find a chart/);
    expect(describeReading(none)).not.toContain('\n');
  });

  it('says that it reads only candles for other charts', () => {
    expect(describeReading(reading({ kind: 'line', candles: [] }))).toContain('I read candles and bars');
    expect(describeReading(reading({ kind: 'other', candles: [] }))).toContain('I read candles and bars');
    expect(isRead(reading({ kind: 'line' }))).toBe(true);
  });

  it('describes a chart that was read', () => {
    const text = describeReading(readChart(drawChart({ seed: 40, count: 120 }).picture));
    expect(text).toContain('120 candles');
    expect(text).toContain('**Swings:**');
    expect(text).not.toMatch(/undefined|NaN/);
  });
});
