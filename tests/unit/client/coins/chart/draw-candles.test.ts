import type { PriceFormatCustom, SeriesMarker, Time } from 'lightweight-charts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { drawCandles } from '#client/coins/chart/draw-candles.ts';
import { HOUR } from '#domain/clock.ts';

type Line = { price: number; axisLabelVisible?: boolean };

const drawn = vi.hoisted(() => ({
  lines: [] as Line[],
  markers: [] as SeriesMarker<Time>[],
  format: undefined as PriceFormatCustom | undefined,
  /** USD for a pixel of the price axis. */
  scale: 10,
  move: (): void => undefined,
}));

vi.mock('lightweight-charts', async (original) => {
  const series = {
    applyOptions: (options: { priceFormat?: PriceFormatCustom }) => {
      drawn.format = options.priceFormat ?? drawn.format;
    },
    priceScale: () => ({ applyOptions: () => undefined }),
    priceToCoordinate: (price: number) => price / drawn.scale,
    createPriceLine(line: Line) {
      drawn.lines.push(line);
      return { line, applyOptions: (change: Partial<Line>) => Object.assign(line, change) };
    },
    removePriceLine: ({ line }: { line: Line }) => drawn.lines.splice(drawn.lines.indexOf(line), 1),
    setData: () => undefined,
  };
  const timeScale = {
    timeToCoordinate: (time: number) => time / 3600,
    width: () => 300,
    setVisibleLogicalRange: () => undefined,
    subscribeSizeChange: () => undefined,
    subscribeVisibleLogicalRangeChange: (listener: () => void) => {
      drawn.move = listener;
    },
  };
  const chart = { applyOptions: () => undefined, addSeries: () => series, timeScale: () => timeScale, remove: () => undefined };
  return {
    ...(await original<object>()),
    createChart: () => ({ ...chart, subscribeCrosshairMove: () => undefined, unsubscribeCrosshairMove: () => undefined }),
    createSeriesMarkers: () => ({
      setMarkers: (markers: SeriesMarker<Time>[]) => {
        drawn.markers = markers;
      },
    }),
  };
});

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    run();
    return 1;
  });
});
afterEach(() => vi.unstubAllGlobals());

const labeledPrices = () => drawn.lines.flatMap(({ price, axisLabelVisible }) => (axisLabelVisible === false ? [] : [price]));

it('labels what has room in the current view', () => {
  const chart = drawCandles(document.createElement('div'), () => undefined, { step: HOUR });
  const candle = (hour: number) => ({ time: hour * HOUR, open: 1000, high: 1010, low: 990, close: 1000, volume: null });
  chart.setCandles([0, 100, 104, 200].map(candle));
  chart.setOverlays({
    levels: [
      { price: 1050, kind: 'resistance', strength: 1 },
      { price: 2000, kind: 'resistance', strength: 0.8 },
      { price: 2100, kind: 'resistance', strength: 0.9 },
    ],
    marks: [100, 104, 200].map((hour) => ({ time: hour * HOUR, shape: 'arrowUp', tone: 'up', text: 'Long' })),
  });
  expect(labeledPrices()).toEqual([2100, 1000]);
  expect(drawn.markers.map(({ text }) => text)).toEqual(['', 'Long', 'Long']);
  expect(drawn.format?.tickmarksFormatter?.([1000, 1500] as never)).toEqual(['', '$1,500.00']);

  drawn.scale = 1;
  drawn.move();
  expect(labeledPrices()).toEqual([1050, 2000, 2100, 1000]);
  chart.remove();
});
