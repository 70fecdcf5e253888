import {
  CandlestickSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type IPriceLine,
  LineStyle,
  type MouseEventParams,
  TrackingModeExitMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { onThemeChange, tokenColors } from '#client/ui/theme/token-colors.ts';
import type { DailyCandle } from '#contract/market/market.ts';
import { DAY } from '#domain/clock.ts';
import { formatUsd } from '#domain/format/format-number.ts';

/** A price that the market turned at, drawn across the chart: the stronger, the bolder. */
export interface DrawnLevel {
  /** USD. */
  price: number;
  kind: 'support' | 'resistance';
  /** 0 to 1. */
  strength: number;
}

export interface DrawnCandles {
  /** Oldest first. */
  setCandles(candles: readonly DailyCandle[]): void;
  setLevels(levels: readonly DrawnLevel[]): void;
  /** Puts the last so many candles into view. */
  showLast(count: number): void;
  remove(): void;
}

/** Empty places that stand for a gap in the history, however long it was. */
const MOST_BLANKS = 3;
const VOLUME_SHARE = 0.16;

const timestamp = (ms: number) => (ms / 1000) as UTCTimestamp;

/** From this strength on, a level's price stands on the axis: more would cover each other. */
const NAMED_STRENGTH = 0.5;

/**
 * Draws candles of `step` ms each into `box` and keeps them in the theme's colours and the box's size. `onPoint` hears which day is under
 * the crosshair. Wheel and vertical touches stay the page's, so that nobody is caught in the chart (failure mode 27).
 */
export function drawCandles(box: HTMLElement, onPoint: (candle: DailyCandle | undefined) => void, step = DAY): DrawnCandles {
  const chart = createChart(box, {
    autoSize: true,
    // Its logo would bring a style element, which the content policy refuses: the attribution is a line of text.
    layout: { attributionLogo: false, fontSize: 11, fontFamily: getComputedStyle(box).fontFamily, panes: { enableResize: false } },
    localization: { locale: 'en', dateFormat: 'dd MMM yyyy' },
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: {
      timeVisible: step < DAY,
      secondsVisible: false,
      borderVisible: false,
      minBarSpacing: 0.1,
      fixLeftEdge: true,
      fixRightEdge: true,
      lockVisibleTimeRangeOnResize: true,
    },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: false },
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
  });
  const bars = chart.addSeries(CandlestickSeries, { borderVisible: false, lastValueVisible: false, priceLineVisible: false });
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 1 - VOLUME_SHARE, bottom: 0 } });

  let candles: readonly DailyCandle[] = [];
  let levels: readonly DrawnLevel[] = [];
  let lines: IPriceLine[] = [];
  /** Where each candle stands, blanks counted. */
  let places: number[] = [];

  function paint() {
    const color = tokenColors(box, ['up', 'down', 'up-soft', 'down-soft', 'ink-2', 'line', 'surface', 'surface-2', 'edge']);
    chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: 'transparent' }, textColor: color['ink-2'] },
      grid: { vertLines: { visible: false }, horzLines: { color: color.line } },
      crosshair: {
        vertLine: { color: color.edge, labelBackgroundColor: color['surface-2'] },
        horzLine: { color: color.edge, labelBackgroundColor: color['surface-2'] },
      },
    });
    bars.applyOptions({ upColor: color.up, downColor: color.down, wickUpColor: color.up, wickDownColor: color.down });
    for (const line of lines) bars.removePriceLine(line);
    lines = levels.map(({ price, kind, strength }) =>
      bars.createPriceLine({
        price,
        color: faded(color[kind === 'support' ? 'up' : 'down'], 0.35 + 0.65 * strength),
        lineWidth: strength > 0.75 ? 3 : strength > 0.4 ? 2 : 1,
        lineStyle: LineStyle.Solid,
        axisLabelVisible: strength >= NAMED_STRENGTH,
        axisLabelTextColor: color.surface,
      }),
    );
    const last = candles.at(-1);
    if (last) {
      const tone = color[last.close < last.open ? 'down' : 'up'];
      // The library's own line for it has text of a colour that it chooses, which is too faint on the dark theme's red.
      lines.push(
        bars.createPriceLine({
          price: last.close,
          color: tone,
          lineWidth: 1,
          lineStyle: LineStyle.Dotted,
          axisLabelTextColor: color.surface,
        }),
      );
    }
    volumes.setData(
      candles.flatMap(({ time, open, close, volume }) =>
        volume === null ? [] : [{ time: timestamp(time), value: volume, color: color[close < open ? 'down-soft' : 'up-soft'] }],
      ),
    );
  }

  const point = ({ time }: MouseEventParams) => {
    const at = typeof time === 'number' ? time * 1000 : undefined;
    onPoint(at === undefined ? undefined : candles.find((candle) => candle.time === at));
  };
  chart.subscribeCrosshairMove(point);
  const endTheme = onThemeChange(paint);

  return {
    setCandles(next) {
      candles = next;
      const data = withBlanks(next, step);
      places = data.flatMap((bar, place) => ('open' in bar ? [place] : []));
      const smallest = Math.min(...next.map(({ low }) => low));
      const hasVolume = next.some(({ volume }) => volume !== null);
      bars.applyOptions({ priceFormat: { type: 'custom', formatter: formatUsd, minMove: priceStep(smallest) } });
      bars.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: hasVolume ? VOLUME_SHARE + 0.04 : 0.06 } });
      bars.setData(data);
      paint();
    },
    setLevels(next) {
      levels = next;
      paint();
    },
    showLast(count) {
      const first = places.at(-count) ?? 0;
      const last = places.at(-1) ?? 0;
      chart.timeScale().setVisibleLogicalRange({ from: first - 0.5, to: last + 0.5 });
    },
    remove() {
      endTheme();
      chart.unsubscribeCrosshairMove(point);
      chart.remove();
    },
  };
}

/** Candles that are missing show as a break; many as a short break, or nothing else would be seen. */
function withBlanks(candles: readonly DailyCandle[], step: number) {
  return candles.flatMap(({ time, open, high, low, close }, index) => {
    const before = candles[index - 1]?.time ?? time;
    const missing = Math.max(0, Math.round((time - before) / step) - 1);
    const blanks = Array.from({ length: Math.min(missing, MOST_BLANKS) }, (_, at) => ({ time: timestamp(before + (at + 1) * step) }));
    return [...blanks, { time: timestamp(time), open, high, low, close }];
  });
}

/** A computed `rgb(…)` colour, seen through. */
const faded = (color: string, opacity: number): string => color.replace(/^rgb\((.+)\)$/, `rgba($1, ${opacity.toFixed(2)})`);

/** The smallest step of the price axis: a cent, or less where prices are below one. Four figures show there. */
const priceStep = (price: number): number => (price >= 0.01 || price <= 0 ? 0.01 : 10 ** (Math.floor(Math.log10(price)) - 3));
