import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import type { Picture } from '#domain/chart-reading/pixels/picture.ts';
import { readChart } from '#domain/chart-reading/read-chart.ts';
import { createRandom } from '#domain/random.ts';
import { type ChartOptions, createCanvas, type DrawnCandle, drawChart } from '#tests/support/charts/drawn-chart.ts';
import { enlarge, shrink } from '#tests/support/charts/resized-picture.ts';

/** Returns the share of candles that were read within 2 pixels. */
function shareRead(
  drawn: readonly DrawnCandle[],
  read: readonly DrawnCandle[],
  parts: (keyof DrawnCandle)[] = ['x', 'high', 'low'],
): number {
  const hits = drawn.filter((candle) => read.some((other) => parts.every((part) => Math.abs(other[part] - candle[part]) <= 2)));
  return hits.length / drawn.length;
}

async function paintSvg(width: number, height: number, shapes: readonly string[]): Promise<Picture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${shapes.join('')}</svg>`;
  const data = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
  return { width, height, data: new Uint8ClampedArray(data) };
}

type Ink = [number, number, number];

const ALL: (keyof DrawnCandle)[] = ['x', 'high', 'low', 'open', 'close'];

/** With other tests at the same time, a reading takes ten times as long. */
vi.setConfig({ testTimeout: 60_000 });

describe('reading candles', () => {
  const charts: [string, ChartOptions][] = [
    ['on white', { seed: 1 }],
    ['on a dark ground with a grid', { seed: 2, dark: true, grid: true }],
    ['in blue and black', { seed: 3, up: [33, 150, 243], down: [0, 0, 0] }],
    ['with hollow rises', { seed: 4, style: 'hollow', width: 9 }],
    ['hollow and filled in one color', { seed: 5, style: 'hollow', width: 9, up: [20, 20, 20], down: [20, 20, 20] }],
    ['over bars of volume of the same colors', { seed: 6, volume: true, dark: true }],
    ['below a moving average', { seed: 7, overlay: true }],
    ['along a dashed line in their color', { seed: 8, lastPrice: true }],
    ['narrow and many', { seed: 9, count: 200, width: 3, pitch: 4 }],
    ['wide and few', { seed: 10, count: 24, width: 21, pitch: 26, grid: true, volume: true }],
    ['at a distance that is no whole number', { seed: 11, pitch: 8.37, width: 5 }],
  ];

  it.each(charts)('%s', (_, options) => {
    const { picture, candles } = drawChart(options);
    const reading = readChart(picture);
    expect(reading.kind).toBe('candles');
    expect(reading.confidence).toBeGreaterThan(0.7);
    expect(shareRead(candles, reading.candles)).toBeGreaterThanOrEqual(0.95);
    // No letters or volume bars count as candles.
    expect(reading.candles.length).toBeLessThanOrEqual(candles.length * 1.05);
  });

  it.each([
    ['twice', 2, { seed: 13, count: 60, volume: 'pale', dark: true }],
    ['three times', 3, { seed: 14, count: 50, volume: 'pale', dark: true, grid: true }],
    ['three times, on white', 3, { seed: 15, count: 50, volume: 'pale', width: 5 }],
    ['by no whole number', 2.6, { seed: 16, count: 50, volume: 'pale', dark: true, lastPrice: true, width: 3, pitch: 5 }],
  ] as [string, number, ChartOptions][])('enlarged %s, which makes edges soft', (_, factor, options) => {
    const { picture, candles } = drawChart(options);
    const enlarged = candles.map(({ x, high, low, open, close }) => ({
      x: x * factor,
      high: high * factor,
      low: low * factor,
      open: open * factor,
      close: close * factor,
    }));
    expect(shareRead(enlarged, readChart(enlarge(picture, factor)).candles)).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    ['on white', 0.3125, { seed: 301, count: 115, width: 5, pitch: 7, volume: 'pale', grid: true }],
    ['on a dark ground', 0.36, { seed: 302, count: 130, width: 5, pitch: 7, volume: true, dark: true }],
    ['to less than half', 0.47, { seed: 306, count: 190, width: 5, pitch: 7, dark: true, lastPrice: true }],
  ] as [string, number, ChartOptions][])('made so small that they are two or three pixels each, %s', (_, factor, options) => {
    const { picture, candles } = drawChart(options);
    const small = candles.map(({ x, high, low, open, close }) => ({
      x: x * factor,
      high: high * factor,
      low: low * factor,
      open: open * factor,
      close: close * factor,
    }));
    const reading = readChart(shrink(picture, factor));
    expect(reading.kind).toBe('candles');
    expect(shareRead(small, reading.candles)).toBeGreaterThanOrEqual(0.9);
    expect(reading.candles.length).toBeLessThanOrEqual(candles.length * 1.05);
  });

  it('distinguishes rises from falls without fixed colors', () => {
    for (const colors of [{}, { up: [239, 83, 80], down: [38, 166, 154] }, { up: [120, 60, 200], down: [250, 150, 20] }] as const) {
      const { picture, candles } = drawChart({ seed: 12, ...colors });
      expect(shareRead(candles, readChart(picture).candles, ALL)).toBeGreaterThanOrEqual(0.95);
    }
  });

  it('reads many seeds, not one', () => {
    for (let seed = 100; seed < 105; seed++) {
      const { picture, candles } = drawChart({ seed, dark: seed % 2 === 0, volume: seed % 3 === 0, overlay: seed % 4 === 0 });
      const reading = readChart(picture);
      expect([seed, reading.kind]).toEqual([seed, 'candles']);
      expect(shareRead(candles, reading.candles), `seed ${seed}`).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('finds the trend', () => {
    const trendOf = (drift: number) => readChart(drawChart({ seed: 20, drift }).picture).trend;
    expect(trendOf(400)).toBe('up');
    expect(trendOf(-400)).toBe('down');
  });

  it('finds a level that is touched on the row of a low behind a lower one', () => {
    const valley = (depth: number) => Array.from({ length: 12 }, (_, step) => depth - 22 * Math.abs(6 - step));
    const behind = [190, 190, 190, 190, 220, 190, 220, 190, 150, 120, 90, 68, 60];
    const closes = [...valley(240).slice(0, 7), ...behind, ...valley(220), ...valley(150), 60, 60];
    const { picture } = drawChart({ seed: 24, closes });
    const levels = readChart(picture).levels.map(({ y, touches }) => [y, touches]);
    expect(levels).toContainEqual([224, 2]);
  });

  it('has no warnings for a clear chart', () => {
    expect(readChart(drawChart({ seed: 1 }).picture).warnings).toEqual([]);
  });

  it('returns positions in pixels of the original after scaling down', () => {
    const { picture, candles } = drawChart({ seed: 21 });
    const reading = readChart({ ...picture, reduced: 2 });
    expect([reading.width, reading.height]).toEqual([picture.width * 2, picture.height * 2]);
    const doubled = candles.map((candle) => ({ ...candle, x: candle.x * 2 + 0.5, high: candle.high * 2 + 0.5, low: candle.low * 2 + 0.5 }));
    expect(shareRead(doubled, reading.candles)).toBeGreaterThanOrEqual(0.95);
  });

  it('finds a plot that contains the candles without the axis', () => {
    const { picture, candles } = drawChart({ seed: 22 });
    const { plot } = readChart(picture);
    for (const { x, high, low } of candles) {
      expect(plot.x <= x && x <= plot.x + plot.width && plot.y <= high && low <= plot.y + plot.height).toBe(true);
    }
  });
});

describe('doubtful pictures', () => {
  const { picture: upright } = drawChart({ seed: 25, dark: true });

  /** Returns a picture whose pixel at (x, y) is pixel `from(x, y)` of another. */
  function remap(width: number, height: number, from: (x: number, y: number) => [number, number], source = upright): Picture {
    const data = new Uint8ClampedArray(width * height * 4);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [sourceX, sourceY] = from(x, y);
        const at = (sourceY * source.width + sourceX) * 4;
        data.set(source.data.subarray(at, at + 4), (y * width + x) * 4);
      }
    }
    return { width, height, data };
  }

  it('warns about a turned chart and reads no candles', () => {
    const { width, height } = upright;
    for (const turned of [remap(height, width, (x, y) => [y, height - 1 - x]), remap(height, width, (x, y) => [width - 1 - y, x])]) {
      const reading = readChart(turned);
      expect(reading).toMatchObject({ kind: 'candles', candles: [], levels: [] });
      expect(reading.warnings.join()).toContain('turned');
    }
  });

  it('warns about two charts', () => {
    const { width, height } = upright;
    const reading = readChart(remap(width, 2 * height, (x, y) => [x, y % height]));
    expect(reading.kind).toBe('candles');
    expect(reading.warnings.join()).toContain('more than one chart');
  });

  it('reads a cropped chart', () => {
    const reading = readChart(remap(400, 300, (x, y) => [x + 100, y + 20]));
    expect(reading.kind).toBe('candles');
    expect(reading.candles.length).toBeGreaterThan(30);
  });

  it('warns about few candles', () => {
    expect(readChart(drawChart({ seed: 26, count: 14, width: 15 }).picture).warnings.join()).toContain('few candles');
  });
});

describe('other pictures', () => {
  it('reads bars with ticks as bars', () => {
    const { picture, candles } = drawChart({ seed: 30, style: 'bars', width: 7 });
    const reading = readChart(picture);
    expect(reading.kind).toBe('bars');
    expect(shareRead(candles, reading.candles, ALL)).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    [2, 7],
    [3, 7],
    [4, 11],
    [5, 15],
  ])('reads bars with ticks %i rows thick as bars', (thick, width) => {
    for (const seed of [47, 48]) {
      const { picture, candles } = drawChart({ seed, style: 'bars', thick, width, dark: seed % 2 === 0 });
      const reading = readChart(picture);
      expect(reading.kind).toBe('bars');
      expect(shareRead(candles, reading.candles, ALL)).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('reads a line as a line, with its trend and no candles', () => {
    const reading = readChart(drawChart({ seed: 31, style: 'line', drift: 200 }).picture);
    expect(reading).toMatchObject({ kind: 'line', trend: 'up', candles: [], levels: [] });
  });

  it('knows candles too close to separate above volume of their colors', () => {
    for (const seed of [41, 42, 43]) {
      const reading = readChart(drawChart({ seed, count: 300, width: 3, pitch: 2, volume: true, overlay: true }).picture);
      expect(reading).toMatchObject({ kind: 'candles', candles: [], levels: [] });
      expect(reading.warnings.join()).toContain('too close together');
    }
  });

  it('takes no rows of red and green words for candles', () => {
    for (const seed of [44, 45, 46]) {
      const random = createRandom(seed);
      const { fill, picture } = createCanvas(600, 400, [255, 255, 255]);
      for (let y = 20; y < 390; y += 18) {
        for (let x = 20; x < 570; x += 4 + Math.floor(random() * 3)) {
          const ink: Ink = Math.floor(x / 60) % 2 ? [38, 166, 154] : [239, 83, 80];
          const height = random() < 0.3 ? 11 : 7;
          fill(x, y + 11 - height, x, y + 11, ink);
          if (random() < 0.6) fill(x, y + 7, x + 3, y + 7, ink);
        }
      }
      expect(['none', 'other']).toContain(readChart(picture).kind);
    }
  });

  it('takes no average among bars that it cannot read for a line of prices', () => {
    for (const seed of [49, 50, 51]) {
      const random = createRandom(seed);
      const { fill, picture } = createCanvas(620, 380, [255, 255, 255]);
      const rowAt = (x: number) => Math.round(190 + 90 * Math.sin(x / 90 + seed));
      for (let x = 30; x < 560; x += 24 + Math.floor(random() * 20)) {
        const [y, height] = [rowAt(x) + Math.floor((random() - 0.5) * 60), 10 + Math.floor(random() * 30)];
        fill(x, y, x, y + height, [20, 20, 20]);
        fill(x - 4, y + 3, x, y + 3, [20, 20, 20]);
        fill(x, y + height - 3, x + 4, y + height - 3, [20, 20, 20]);
      }
      for (let x = 20; x < 580; x++) fill(x, Math.min(rowAt(x), rowAt(x + 1)), x, Math.max(rowAt(x), rowAt(x + 1)) + 1, [0, 150, 220]);
      expect(readChart(picture).kind).toBe('other');
    }
  });

  it('classifies columns as another kind of chart', () => {
    expect(readChart(drawChart({ seed: 32, style: 'columns' }).picture).kind).toBe('other');
  });

  it('finds no chart in one color, in noise, in a gradient, or in a speck', () => {
    const random = createRandom(33);
    const paint = (width: number, height: number, color: (x: number, y: number) => [number, number, number]) => {
      const { fill, picture } = createCanvas(width, height, [0, 0, 0]);
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) fill(x, y, x, y, color(x, y));
      return picture;
    };
    const noise = () => [random() * 255, random() * 255, random() * 255] as [number, number, number];
    expect(readChart(paint(200, 120, () => [9, 99, 9])).kind).toBe('none');
    expect(readChart(paint(160, 100, noise)).kind).toBe('none');
    expect(readChart(paint(300, 200, (x, y) => [x * 0.8, y, 128])).kind).toBe('none');
    expect(readChart(paint(3, 3, () => [1, 2, 3])).kind).toBe('none');
  });

  it('takes the borders of a heat map for no line', async () => {
    for (const seed of [35, 36, 37]) {
      const random = createRandom(seed);
      const cells: string[] = [];
      for (let x = 0; x < 1_100; ) {
        const right = x + 60 + random() * 180;
        for (let y = 0; y < 700; ) {
          const height = 40 + random() * 140;
          const change = (random() - 0.5) * 10;
          const color = change > 0 ? `rgb(30,${90 + change * 25},70)` : `rgb(${120 - change * 25},50,55)`;
          // Positions between pixels soften the borders.
          cells.push(`<rect x="${x + 1}" y="${y + 1}" width="${right - x - 2}" height="${height - 2}" fill="${color}"/>`);
          y += height;
        }
        x = right;
      }
      expect(['none', 'other']).toContain(readChart(await paintSvg(1_100, 700, cells)).kind);
    }
  });

  it('tells the depth of an order book from a line of prices', () => {
    for (const seed of [38, 39, 40]) {
      const random = createRandom(seed);
      const { fill, picture } = createCanvas(1_100, 700, [255, 255, 255]);
      for (const side of [-1, 1]) {
        const edge: Ink = side < 0 ? [38, 166, 154] : [239, 83, 80];
        const area: Ink = side < 0 ? [168, 219, 215] : [249, 187, 185];
        let y = 650;
        for (let step = 0; step < 65; step++) {
          const up = Math.floor(random() * 16);
          const [one, other] = [550 + side * 8 * step, 550 + side * 8 * (step + 1)];
          const [left, right] = [Math.min(one, other), Math.max(one, other)];
          fill(one, y - up, one + 1, y, edge);
          y -= up;
          fill(left, y, right, 650, area);
          fill(left, y, right, y + 1, edge);
        }
      }
      expect(readChart(picture).kind).toBe('other');
    }
  });

  it('finds no chart in rows of letters', () => {
    const random = createRandom(34);
    const { fill, picture } = createCanvas(600, 400, [255, 255, 255]);
    for (let y = 20; y < 380; y += 18) {
      for (let x = 20; x < 570; x += 5 + Math.floor(random() * 5)) {
        const height = random() < 0.3 ? 11 : 7;
        fill(x, y + 11 - height, x, y + 11, [30, 30, 30]);
        if (random() < 0.6) fill(x, y + 7, x + 3, y + 7, [30, 30, 30]);
      }
    }
    expect(readChart(picture).kind).toBe('none');
  });
});
