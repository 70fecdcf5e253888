import { describe, expect, it } from 'vitest';
import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { describeReading, isChart } from '#domain/chart-reading/describe-reading.ts';
import { readChart } from '#domain/chart-reading/read-chart.ts';
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
    expect(text).toContain("- at 10% of the plot's height from the top, 3 touches");
    expect(text).not.toContain('axis');
  });

  it('gives prices with an axis, as precise as one pixel', () => {
    const levels: ChartReading['levels'] = [
      { kind: 'resistance', y: 20, price: 63_870, touches: 3 },
      { kind: 'support', y: 150, price: 61_250, touches: 2 },
    ];
    const text = describeReading(reading({ levels, axis: { y: 0, price: 64_271.4, perPixel: -20.13 } }));
    expect(text).toContain('above the first open, from about 61,250 to about 63,260.');
    expect(text).toContain('- about 63,870, 3 touches');
    expect(text.indexOf('Resistance')).toBeLessThan(text.indexOf('Support'));
    expect(text).toContain("Prices come from the picture's axis, accurate to about 20 (one pixel). Their currency is unknown.");
  });

  it('passes warnings on', () => {
    expect(describeReading(reading({ warnings: ['Something is odd.'] }))).toContain('**Caution:** Something is odd.');
  });

  it('declines a picture without a chart in one polite paragraph', () => {
    const none = reading({ kind: 'none', candles: [] });
    expect(isChart(none)).toBe(false);
    expect(describeReading(none)).toMatch(/^I can't find a chart/);
    expect(describeReading(none)).not.toContain('\n');
  });

  it('says that it reads only candles for other charts', () => {
    expect(describeReading(reading({ kind: 'line', candles: [] }))).toContain('I read candles and bars');
    expect(describeReading(reading({ kind: 'other', candles: [] }))).toContain('I read candles and bars');
    expect(isChart(reading({ kind: 'line' }))).toBe(true);
  });

  it('describes a chart that was read', () => {
    const text = describeReading(readChart(drawChart({ seed: 40, count: 120 }).picture));
    expect(text).toContain('120 candles');
    expect(text).toContain('**Swings:**');
    expect(text).not.toMatch(/undefined|NaN/);
  });
});
