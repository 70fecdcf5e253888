import type { Picture } from '#domain/chart-reading/pixels/picture.ts';
import { createRandom } from '#domain/random.ts';

type Rgb = readonly [number, number, number];

export interface DrawnCandle {
  /** `x` is the middle column; the rest are rows. */
  x: number;
  high: number;
  low: number;
  open: number;
  close: number;
}

export interface DrawnChart {
  picture: Picture;
  candles: DrawnCandle[];
}

export interface ChartOptions {
  seed: number;
  style?: 'candles' | 'hollow' | 'bars' | 'line' | 'columns';
  dark?: boolean;
  count?: number;
  /** Rows and columns of a bar's ticks and stem. */
  thick?: number;
  /** Odd width of a body, and distance between two candles, in columns. */
  width?: number;
  pitch?: number;
  /** Volume bars below the price, in the candles' colors or paler ones. */
  volume?: boolean | 'pale';
  grid?: boolean;
  /** Draws a moving average. */
  overlay?: boolean;
  /** Draws a dashed line through the last close, in a candle's color. */
  lastPrice?: boolean;
  up?: Rgb;
  down?: Rgb;
  /** Rows by which the price rises over the chart; negative falls. */
  drift?: number;
  /** Rows of the closes, instead of a random price; wicks are 4 rows long. */
  closes?: readonly number[];
}

const MARGIN = { left: 20, right: 70, top: 30, bottom: 40 };
const PANE = 300;
const VOLUME = 60;

/** Creates a canvas without anti-aliasing. */
export function createCanvas(width: number, height: number, background: Rgb) {
  const data = new Uint8ClampedArray(width * height * 4);
  const pixels = new Uint32Array(data.buffer);
  const fill = (left: number, top: number, right: number, bottom: number, [red, green, blue]: Rgb) => {
    const from = Math.max(0, Math.round(left));
    const to = Math.min(width - 1, Math.round(right));
    // Opaque, little-endian.
    const value = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    for (let y = Math.max(0, Math.round(top)); y <= Math.min(height - 1, Math.round(bottom)); y++) {
      pixels.fill(value, y * width + from, Math.max(y * width + from, y * width + to + 1));
    }
  };
  fill(0, 0, width, height, background);
  return { fill, picture: { width, height, data } };
}

/** Draws a chart of random candles and returns the position of each. */
export function drawChart(options: ChartOptions): DrawnChart {
  const {
    seed,
    style = 'candles',
    dark = false,
    closes,
    count = closes?.length ?? 80,
    width = 7,
    thick = 1,
    pitch = width + 3,
    drift = 0,
  } = options;
  const up = options.up ?? [38, 166, 154];
  const down = options.down ?? [239, 83, 80];
  const background: Rgb = dark ? [19, 23, 34] : [255, 255, 255];
  const random = createRandom(seed);
  const right = Math.ceil(MARGIN.left + count * pitch);
  const height = MARGIN.top + PANE + (options.volume ? VOLUME + 20 : 0) + MARGIN.bottom;
  const { fill, picture } = createCanvas(right + MARGIN.right, height, background);

  if (options.grid) {
    const grey: Rgb = dark ? [42, 46, 57] : [230, 232, 238];
    for (let y = MARGIN.top; y < MARGIN.top + PANE; y += 50) fill(0, y, right, y, grey);
    for (let x = MARGIN.left; x < right; x += 90) fill(x, 0, x, height - MARGIN.bottom, grey);
  }

  const candles = closes ? follow(closes, pitch) : walk(random, { count, pitch, drift });
  const colourOf = ({ open, close }: DrawnCandle) => (close <= open ? up : down);
  const half = (width - 1) / 2;
  if (style === 'line') drawLine(fill, candles, up);
  else if (style !== 'columns') {
    for (const candle of candles) {
      const { x, high, low, open, close } = candle;
      const colour = colourOf(candle);
      if (style === 'bars') {
        const [before, after] = [Math.floor((thick - 1) / 2), Math.ceil((thick - 1) / 2)];
        fill(x - before, high, x + after, low, colour);
        fill(x - half, open - before, x, open + after, colour);
        fill(x, close - before, x + half, close + after, colour);
        continue;
      }
      fill(x, high, x, low, colour);
      fill(x - half, Math.min(open, close), x + half, Math.max(open, close), colour);
      if (style === 'hollow' && close <= open) fill(x - half + 1, close + 1, x + half - 1, open - 1, background);
    }
  }
  const floor = height - MARGIN.bottom;
  if (options.volume || style === 'columns') {
    const tallest = style === 'columns' ? PANE : VOLUME;
    const shadeOf = (colour: Rgb): Rgb => (options.volume === 'pale' ? mix(colour, background) : colour);
    for (const candle of candles)
      fill(candle.x - half, floor - 4 - random() * (tallest - 4), candle.x + half, floor, shadeOf(colourOf(candle)));
  }
  if (options.overlay) drawLine(fill, smooth(candles), [255, 193, 7]);
  const last = candles.at(-1);
  if (options.lastPrice && last) for (let x = 0; x < right; x += 6) fill(x, last.close, x + 2, last.close, colourOf(last));
  drawLabels(fill, right + 10, dark ? [180, 184, 196] : [60, 62, 70], random);
  return { picture, candles };
}

const mix = (one: Rgb, two: Rgb): Rgb => [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2, (one[2] + two[2]) / 2];

/** Creates the next candle: it opens at the last close and stays inside the pane. */
function walk(random: () => number, { count, pitch, drift }: { count: number; pitch: number; drift: number }): DrawnCandle[] {
  const [top, bottom] = [MARGIN.top + 10, MARGIN.top + PANE - 10];
  const clamp = (y: number) => Math.round(Math.min(bottom, Math.max(top, y)));
  let price = clamp((top + bottom) / 2 + drift / 2);
  return Array.from({ length: count }, (_, index) => {
    const open = price;
    const close = clamp(open - drift / count + (random() + random() - 1) * 26);
    price = close;
    const high = clamp(Math.min(open, close) - random() * 14);
    const low = clamp(Math.max(open, close) + random() * 14);
    return { x: MARGIN.left + Math.round((index + 0.5) * pitch), high, low, open, close };
  });
}

function follow(closes: readonly number[], pitch: number): DrawnCandle[] {
  return closes.map((close, index) => {
    const open = closes[index - 1] ?? close;
    const x = MARGIN.left + Math.round((index + 0.5) * pitch);
    return { x, high: Math.min(open, close) - 4, low: Math.max(open, close) + 4, open, close };
  });
}

type Fill = ReturnType<typeof createCanvas>['fill'];

function drawLine(fill: Fill, points: readonly Pick<DrawnCandle, 'x' | 'close'>[], colour: Rgb): void {
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (!from) continue;
    for (let x = from.x; x <= to.x; x++) {
      const at = (column: number) => from.close + ((to.close - from.close) * (column - from.x)) / (to.x - from.x);
      fill(x, Math.min(at(x), at(x + 1)), x, Math.max(at(x), at(x + 1)) + 1, colour);
    }
  }
}

const smooth = (candles: readonly DrawnCandle[]) =>
  candles.map(({ x }, index) => {
    const recent = candles.slice(Math.max(0, index - 9), index + 1);
    return { x, close: recent.reduce((sum, { close }) => sum + close, 0) / recent.length };
  });

/** Draws blocks of strokes in place of axis labels. */
function drawLabels(fill: Fill, left: number, colour: Rgb, random: () => number): void {
  for (let y = MARGIN.top; y < MARGIN.top + PANE; y += 50) {
    for (let digit = 0; digit < 6; digit++) {
      const x = left + digit * 8;
      if (random() < 0.7) fill(x, y - 4, x + 4, y - 4, colour);
      if (random() < 0.7) fill(x, y, x + 4, y, colour);
      if (random() < 0.7) fill(x, y + 4, x + 4, y + 4, colour);
      if (random() < 0.7) fill(x, y - 4, x, y + 4, colour);
      if (random() < 0.7) fill(x + 4, y - 4, x + 4, y + 4, colour);
    }
  }
}
