import {
  CandlestickSeries,
  ColorType,
  type CreatePriceLineOptions,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  LineSeries,
  LineStyle,
  type MouseEventParams,
  type PriceFormatCustom,
  PriceScaleMode,
  type SeriesMarker,
  type Time,
  TrackingModeExitMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { onThemeChange, tokenColors } from '#client/ui/theme/token-colors.ts';
import type { DailyCandle } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { isCovered, labeledLevels, labeledMarks } from './labels.ts';
import type { DrawnLevel, DrawnLine, DrawnMark, Overlays } from './overlays.ts';

export interface DrawnCandles {
  /** Oldest first. */
  setCandles(candles: readonly DailyCandle[]): void;
  setOverlays(overlays: Overlays): void;
  /** Draws closes of another coin as a line. Both coins are then in percent since the start of the view. */
  setCompared(candles: readonly DailyCandle[] | undefined): void;
  /** Moves the crosshair to a candle, and the view with it. Undefined hides it. */
  point(index: number | undefined): void;
  /** Scrolls and zooms to the last `count` candles. */
  showLast(count: number): void;
  remove(): void;
}

/** A gap in the history shows as at most this many empty places. */
const MAX_BLANKS = 3;
const VOLUME_SHARE = 0.16;

const timestamp = (ms: number) => (ms / 1000) as UTCTimestamp;

/**
 * Draws candles of `step` ms into `box`, in the theme's colors and the box's size. Calls `onPoint` with the candle under
 * the crosshair. Wheel and vertical touches scroll the page, so that the chart does not trap the user.
 */
export function drawCandles(box: HTMLElement, onPoint: OnPoint, { step = DAY, format = formatUsd }: ChartScale = {}): DrawnCandles {
  const { chart, bars, volumes, line } = createSeries(box, step);
  const compared = createCompared({ bars, line });
  let candles: readonly DailyCandle[] = [];
  let overlays: Overlays = {};
  let priceLines: PriceLine[] = [];
  const labels = createLabels({ box, chart, bars, format }, () => ({ candles, overlays, priceLines }));
  /** The index of each candle, blanks included. */
  let places: number[] = [];

  function paint() {
    const color = tokenColors(box, COLORS);
    chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: 'transparent' }, textColor: color['ink-2'] },
      grid: { vertLines: { visible: false }, horzLines: { color: color.line } },
      crosshair: {
        vertLine: { color: color.edge, labelBackgroundColor: color['surface-2'] },
        horzLine: { color: color.edge, labelBackgroundColor: color['surface-2'] },
      },
    });
    line.applyOptions({ color: color.tide, crosshairMarkerBackgroundColor: color.tide });
    bars.applyOptions({ upColor: color.up, downColor: color.down, wickUpColor: color.up, wickDownColor: color.down });
    const { levels = [], lines = [] } = overlays;
    for (const { line } of priceLines) bars.removePriceLine(line);
    priceLines = [
      ...levels.map((level) => ({ level, line: bars.createPriceLine(levelLine(level, color)) })),
      ...lines.map((line) => ({ line: bars.createPriceLine(titledLine(line, color)) })),
      ...lastPriceLine(candles.at(-1), color).map((line) => ({ line: bars.createPriceLine(line) })),
    ];
    volumes.setData(volumeBars(candles, color));
    labels.place();
    labels.placeSoon();
  }

  const point = ({ time }: MouseEventParams) => {
    const at = typeof time === 'number' ? time * 1000 : undefined;
    onPoint(at === undefined ? undefined : candles.find((candle) => candle.time === at));
  };
  chart.subscribeCrosshairMove(point);
  chart.timeScale().subscribeVisibleLogicalRangeChange(labels.placeSoon);
  chart.timeScale().subscribeSizeChange(labels.placeSoon);
  const endTheme = onThemeChange(paint);

  return {
    setCandles(next) {
      candles = next;
      const data = withBlanks(next, step);
      places = data.flatMap((bar, place) => ('open' in bar ? [place] : []));
      const hasVolume = next.some(({ volume }) => volume !== null);
      bars.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: hasVolume ? VOLUME_SHARE + 0.04 : 0.06 } });
      bars.applyOptions({ priceFormat: priceFormatOf(next, format, labels.isHidden) });
      bars.setData(data);
      compared.draw(candles);
      paint();
    },
    setOverlays(next) {
      overlays = next;
      paint();
    },
    setCompared: (next) => compared.set(next, candles),
    point(index) {
      const candle = index === undefined ? undefined : candles[index];
      const place = index === undefined ? undefined : places[index];
      if (!candle || place === undefined) return chart.clearCrosshairPosition();
      bringIntoView(chart, place);
      chart.setCrosshairPosition(candle.close, timestamp(candle.time), bars);
    },
    showLast(count) {
      const first = places.at(-count) ?? 0;
      const last = places.at(-1) ?? 0;
      chart.timeScale().setVisibleLogicalRange({ from: first - 0.5, to: last + 0.5 });
    },
    remove() {
      endTheme();
      labels.end();
      chart.unsubscribeCrosshairMove(point);
      chart.remove();
    },
  };
}

/** Scrolls a chart as far as needed to show the candle at `place`. */
function bringIntoView(chart: IChartApi, place: number): void {
  const view = chart.timeScale().getVisibleLogicalRange();
  if (!view || (place >= view.from && place <= view.to)) return;
  const by = place < view.from ? place - 0.5 - view.from : place + 0.5 - view.to;
  chart.timeScale().setVisibleLogicalRange({ from: view.from + by, to: view.to + by });
}

type Series = ReturnType<typeof createSeries>;

/** Draws another coin's closes as a line. */
function createCompared({ bars, line }: Pick<Series, 'bars' | 'line'>) {
  let compared: readonly DailyCandle[] = [];

  /** Draws the closes at times of `candles`: other times would move the places of those. */
  function draw(candles: readonly DailyCandle[]) {
    const times = new Set(candles.map(({ time }) => time));
    const shown = compared.filter(({ time }) => times.has(time));
    line.setData(shown.map(({ time, close }) => ({ time: timestamp(time), value: close })));
    bars.priceScale().applyOptions({ mode: shown.length > 0 ? PriceScaleMode.Percentage : PriceScaleMode.Normal });
  }

  return {
    draw,
    set(next: readonly DailyCandle[] | undefined, candles: readonly DailyCandle[]) {
      compared = next ?? [];
      draw(candles);
    },
  };
}

interface PriceLine {
  line: IPriceLine;
  level?: DrawnLevel;
}

type OnPoint = (candle: DailyCandle | undefined) => void;
type WritePrice = (price: number) => string;

/** The axes of a chart. */
export interface ChartScale {
  /** Length of a candle, ms; a day by default. */
  step?: number | undefined;
  /** Writes the prices of the axis, in USD by default. */
  format?: WritePrice | undefined;
}

interface Labeled {
  box: HTMLElement;
  format: WritePrice;
}

interface Drawn {
  candles: readonly DailyCandle[];
  overlays: Overlays;
  priceLines: readonly PriceLine[];
}

/** Gives labels to the levels and marks that have room for one in the current view. */
function createLabels({ box, chart, bars, format }: Pick<Series, 'chart' | 'bars'> & Labeled, drawn: () => Drawn) {
  const marksOnBars = createSeriesMarkers<Time>(bars);
  /** Prices with a label on the axis. */
  let labels: readonly number[] = [];
  let frame = 0;
  const placeOf = (price: number) => bars.priceToCoordinate(price);
  const isHidden = (tick: number): boolean => isCovered(tick, labels, placeOf);

  function place() {
    const { candles, overlays, priceLines } = drawn();
    const { levels = [], lines = [], marks = [] } = overlays;
    const fixed = [...lines.map(({ price }) => price), ...candles.slice(-1).map(({ close }) => close)];
    const labeled = labeledLevels({ levels, fixed, placeOf });
    for (const { line, level } of priceLines) if (level) line.applyOptions({ axisLabelVisible: labeled.includes(level) });
    labels = [...fixed, ...labeled.map(({ price }) => price)];
    // Formats the ticks again.
    if (candles.length > 0) bars.applyOptions({ priceFormat: priceFormatOf(candles, format, isHidden) });
    const color = tokenColors(box, COLORS);
    const scale = chart.timeScale();
    const onAxis = (time: number) => scale.timeToCoordinate(timestamp(time));
    const shown = labeledMarks({ marks, placeOf: onAxis, width: scale.width(), hasTitles: lines.length > 0 });
    marksOnBars.setMarkers(shown.map((mark) => toMarker(mark, color)));
  }

  return {
    place,
    isHidden,
    /** The price axis follows a new view in the next frame. */
    placeSoon() {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(place);
    },
    end: () => cancelAnimationFrame(frame),
  };
}

/** Creates the chart with its empty series of candles and volumes. */
function createSeries(box: HTMLElement, step: number) {
  const chart = createChart(box, {
    autoSize: true,
    // The logo needs a style element, which our content security policy forbids. A line of text has the attribution.
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
  const line = chart.addSeries(LineSeries, { lineWidth: 2, lastValueVisible: false, priceLineVisible: false });
  return { chart, bars, volumes, line };
}

const COLORS = ['tide', 'up', 'down', 'up-soft', 'down-soft', 'ink-2', 'line', 'surface', 'surface-2', 'edge'] as const;
type Colors = Record<(typeof COLORS)[number], string>;

/** Returns the line of a level. The stronger, the bolder. */
const levelLine = ({ price, kind, strength }: DrawnLevel, color: Colors): CreatePriceLineOptions => ({
  price,
  color: faded(color[kind === 'support' ? 'up' : 'down'], 0.35 + 0.65 * strength),
  lineWidth: strength > 0.75 ? 3 : strength > 0.4 ? 2 : 1,
  lineStyle: LineStyle.Solid,
  axisLabelVisible: false,
  axisLabelTextColor: color.surface,
});

const titledLine = ({ price, title, tone }: DrawnLine, color: Colors): CreatePriceLineOptions => ({
  price,
  title,
  color: color[tone],
  lineWidth: 2,
  lineStyle: LineStyle.Dashed,
  axisLabelTextColor: color.surface,
});

const toMarker = ({ time, shape, tone, text }: DrawnMark, color: Colors): SeriesMarker<Time> => ({
  time: timestamp(time),
  position: shape === 'arrowUp' ? 'belowBar' : 'aboveBar',
  shape,
  color: color[tone],
  text,
});

/** Returns the line of the last price. The library's own one has a text color that is too faint on the dark theme's red. */
function lastPriceLine(last: DailyCandle | undefined, color: Colors): CreatePriceLineOptions[] {
  if (!last) return [];
  const tone = color[last.close < last.open ? 'down' : 'up'];
  return [{ price: last.close, color: tone, lineWidth: 1, lineStyle: LineStyle.Dotted, axisLabelTextColor: color.surface }];
}

/** Formats the prices of the axis. A tick that `isHidden` has no text. */
const priceFormatOf = (candles: readonly DailyCandle[], format: WritePrice, isHidden: (tick: number) => boolean): PriceFormatCustom => ({
  type: 'custom',
  formatter: format,
  tickmarksFormatter: (ticks: number[]) => ticks.map((tick) => (isHidden(tick) ? '' : format(tick))),
  minMove: priceStep(Math.min(...candles.map(({ low }) => low))),
});

const volumeBars = (candles: readonly DailyCandle[], color: Colors) =>
  candles.flatMap(({ time, open, close, volume }) =>
    volume === null ? [] : [{ time: timestamp(time), value: volume, color: color[close < open ? 'down-soft' : 'up-soft'] }],
  );

/** Inserts blanks for missing candles. A long gap gets a few, so that it does not fill the view. */
function withBlanks(candles: readonly DailyCandle[], step: number) {
  return candles.flatMap(({ time, open, high, low, close }, index) => {
    const before = candles[index - 1]?.time ?? time;
    const missing = Math.max(0, Math.round((time - before) / step) - 1);
    const blanks = Array.from({ length: Math.min(missing, MAX_BLANKS) }, (_, at) => ({ time: timestamp(before + (at + 1) * step) }));
    return [...blanks, { time: timestamp(time), open, high, low, close }];
  });
}

/** Adds an opacity to a computed `rgb(…)` color. */
const faded = (color: string, opacity: number): string => color.replace(/^rgb\((.+)\)$/, `rgba($1, ${opacity.toFixed(2)})`);

/** Returns the smallest step of the price axis: a cent, or for prices below it a step that shows four digits. */
const priceStep = (price: number): number => (price >= 0.01 || price <= 0 ? 0.01 : 10 ** (Math.floor(Math.log10(price)) - 3));
