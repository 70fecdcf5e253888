import type { ChartReading } from '#contract/chat/chart-reading.ts';

/** Reading of a rising chart with one level and no price labels. */
export const reading: ChartReading = {
  kind: 'candles',
  confidence: 0.9,
  width: 400,
  height: 300,
  plot: { x: 0, y: 0, width: 380, height: 280 },
  candles: [{ x: 10, high: 20, low: 60, open: 50, close: 30 }],
  trend: 'up',
  levels: [{ kind: 'support', y: 200, touches: 3 }],
  warnings: [],
};
