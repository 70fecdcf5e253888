import { describe, expect, it, vi } from 'vitest';
import { type Axis, priceOn } from '#domain/chart-reading/axis/fit.ts';
import { readAxis } from '#domain/chart-reading/axis/read-axis.ts';
import type { Series } from '#domain/chart-reading/candles/series.ts';
import { toRaster } from '#domain/chart-reading/pixels/picture.ts';
import { readChart } from '#domain/chart-reading/read-chart.ts';
import { createRandom } from '#domain/random.ts';
import { type AxisOptions, drawLabelled, GRID_ROWS, type LabelledChart, type Text } from '#tests/support/charts/labeled-chart.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Charts of the property test. The long run uses `AXIS_CHARTS=2000` (docs/benchmarks.md). */
const CHARTS = Number(process.env.AXIS_CHARTS ?? 24);

/** A decimal point's place, left empty. */
const LOST = '<tspan dx="0.28em">$1</tspan>';

/** One step per grid line, from the top. */
const priceAt = (y: number, top: number, step: number) => top - ((y - GRID_ROWS[0]) / 50) * step;
const labels = (top: number, step: number, write: (price: number) => string): Text[] =>
  GRID_ROWS.map((y) => ({ y, text: write(priceAt(y, top, step)) }));
const thousands = (price: number) => price.toLocaleString('en-US', { minimumFractionDigits: 1 });

function axisOf({ picture, candles, pitch }: LabelledChart): Axis | undefined {
  const series: Series = { kind: 'candles', candles, inks: new Set(), width: 7, pitch, score: 1, elsewhere: 0 };
  return readAxis(toRaster(picture), series);
}

const read = async (options: Partial<AxisOptions> & { texts: readonly Text[] }) =>
  axisOf(await drawLabelled({ seed: 5, scale: 2, ...options }));

/** Returns the axis' maximum error, as a share of the price. */
function wrongBy(axis: Axis, { scale }: { scale: number }, truth: (y: number) => number): number {
  return Math.max(...[GRID_ROWS[0], 180, 330].map((y) => Math.abs(priceOn(axis, (y + 0.5) * scale - 0.5) - truth(y)) / truth(y)));
}

describe('an axis is read', () => {
  const shapes: [string, number, number, (price: number) => string, Partial<AxisOptions>][] = [
    ['with commas and a point', 64_500, 500, thousands, {}],
    ['with points and a comma', 64_500, 500, (price) => price.toLocaleString('de-DE', { minimumFractionDigits: 1 }), {}],
    ['with neither, on a dark ground', 98_000, 2000, String, { dark: true }],
    ['in cents', 1.4, 0.05, (price) => price.toFixed(2), { size: 13 }],
    ['far below a cent', 0.0000124, 0.0000002, (price) => price.toFixed(7), {}],
    ['in thousands', 104_000, 1000, (price) => `${price / 1000}K`, {}],
    ['with a currency', 2140, 20, (price) => `$${price}`, { size: 13 }],
    ['to the left, ending in one column', 1060, 20, String, { side: 'left', align: 'end' }],
    ['in another typeface', 30_500, 500, (price) => price.toFixed(1), { font: 'DejaVu Sans', size: 13, dark: true }],
    ['in bold', 30_500, 500, (price) => price.toFixed(1), { weight: 700 }],
    ['in grey', 30_500, 500, (price) => price.toFixed(1), { colour: '#8a8f9c', size: 13 }],
    ['across a thousand, which shows what its commas are', 1100, 50, (price) => price.toLocaleString('en-US'), {}],
  ];
  it.each(shapes)('%s', async (_, top, step, write, options) => {
    const axis = await read({ texts: labels(top, step, write), ...options });
    expect(axis).toBeDefined();
    expect(wrongBy(axis as Axis, { scale: 2 }, (y) => priceAt(y, top, step))).toBeLessThan(0.002);
  });

  it('although the last price hides a label', async () => {
    const texts = [...labels(64_500, 500, thousands), { y: 183, text: '62,970.4', tag: true }];
    const axis = await read({ texts });
    expect(axis && wrongBy(axis, { scale: 2 }, (y) => priceAt(y, 64_500, 500))).toBeLessThan(0.002);
  });

  it('whatever times are below the candles', async () => {
    expect(await read({ texts: labels(64_500, 500, thousands), times: ['12:00', '18:00', '24', '06:00', '12:00', '18:00'] })).toBeDefined();
  });

  it('without a grid where the picture is large enough for letters to be near their rows', async () => {
    const texts = labels(98_000, 2000, String);
    expect(await read({ texts, grid: false, size: 5, scale: 4 })).toBeDefined();
    expect(await read({ texts, grid: false, size: 14 })).toBeUndefined();
  });
});

describe('no price is shown', () => {
  const plain = labels(64_500, 500, (price) => price.toFixed(1));
  const ones = labels(9.5, 0.5, (price) => price.toFixed(1));
  const refused: [string, readonly Text[], Partial<AxisOptions>][] = [
    ['without labels', [], {}],
    ['by times below the candles', [], { times: ['12', '13', '14', '15', '16', '17', '18', '19', '20', '21', '22'] }],
    ['by three labels', plain.slice(0, 3), {}],
    ['by words', GRID_ROWS.map((y, at) => ({ y, text: ['Open', 'BTC', 'Sell', 'abc', 'x9K', 'Buy', 'Oslo'][at] ?? '' })), {}],
    ['by numbers that contradict each other', GRID_ROWS.map((y, at) => ({ y, text: String([713, 94, 5510, 36, 871, 220, 48][at]) })), {}],
    ['by numbers that grow downwards', GRID_ROWS.map((y, at) => ({ y, text: String(100 + 20 * at) })), {}],
    ['by steps that are not round', GRID_ROWS.map((y, at) => ({ y, text: String(9010 - 37 * at) })), {}],
    ['by numbers that are no multiples of their steps', GRID_ROWS.map((y, at) => ({ y, text: String(9007 - 100 * at) })), {}],
    ['by one mark before three digits, which may be either', labels(64.5, 0.5, (price) => price.toFixed(3)), {}],
    ['nor by a comma before three digits', labels(64_500, 500, (price) => price.toLocaleString('en-US')), {}],
    ['by percentages', labels(60, 5, (price) => `${price}%`), {}],
    ['by a logarithmic axis', GRID_ROWS.map((y, at) => ({ y, text: String(64_000 / 2 ** at) })), {}],
    ['by tiny print', plain, { size: 7, scale: 1 }],
    ['where points are lost', labels(64.5, 0.5, (price) => price.toFixed(2).replace(/[.](.*)/, LOST)), {}],
    ['where two axes disagree', plain, { others: labels(32_000, 500, (price) => price.toFixed(1)) }],
    ['where a power of ten is above it', [{ y: 12, text: '1e6' }, ...ones], {}],
    ['by a list of orders', plain.concat(GRID_ROWS.map((y) => ({ y: y + 20, text: '17.3' }))), {}],
  ];
  it.each(refused)('%s', async (_, texts, options) => {
    expect(await read({ texts, ...options })).toBeUndefined();
  });

  it('only in these cases: the labels alone are readable', async () => {
    expect(await read({ texts: plain })).toBeDefined();
    expect(await read({ texts: ones })).toBeDefined();
    expect(await read({ texts: labels(64.5, 0.5, (price) => price.toFixed(2)) })).toBeDefined();
    expect(await read({ texts: labels(60, 5, String) })).toBeDefined();
  });

  it('where the labels are cut, whatever is left of them', async () => {
    const texts = labels(64_500, 500, String);
    const whole = await read({ texts });
    expect(whole).toBeDefined();
    for (const side of ['right', 'left'] as const) {
      // The label is 10 columns from one side, and at least as many from the other.
      for (let cut = 24; cut < 120; cut += 15) {
        const axis = await read({ texts, side, cut });
        if (axis) expect(wrongBy(axis, { scale: 2 }, (y) => priceAt(y, 64_500, 500))).toBeLessThan(0.002);
      }
    }
  });
});

describe('prices in a reading', () => {
  it('are added to its levels, and change nothing else', async () => {
    const texts = labels(64_500, 500, thousands);
    const [labelled, other] = await Promise.all([
      drawLabelled({ seed: 9, texts, scale: 2 }),
      drawLabelled({ seed: 9, texts: texts.map(({ y }) => ({ y, text: 'none' })), scale: 2 }),
    ]);
    const reading = readChart(labelled.picture);
    const plain = readChart(other.picture);
    expect(reading.axis).toBeDefined();
    expect(plain.axis).toBeUndefined();
    expect(reading.levels.length).toBeGreaterThan(0);
    for (const { y, price } of reading.levels) expect(Math.abs((price ?? 0) - priceAt((y + 0.5) / 2 - 0.5, 64_500, 500))).toBeLessThan(10);
    const { axis: _, levels, ...rest } = reading;
    expect({ ...rest, levels: levels.map(({ price: __, ...level }) => level) }).toEqual(plain);
  });
});

describe(`of ${CHARTS} random charts`, () => {
  const FONTS = ['Liberation Sans', 'DejaVu Sans', 'Noto Sans', 'Liberation Mono', 'Liberation Serif', 'DejaVu Serif'];
  const DAMAGES = ['none', 'none', 'none', 'cut', 'lost points', 'percent', 'hidden'] as const;

  /** Returns a random chart, its true axis, and whether its labels were altered. */
  async function drawByChance(seed: number) {
    const random = createRandom(seed);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    const power = Math.floor(random() * 11) - 6;
    const first = pick([1, 2, 2.5, 4, 5]);
    const step = first * 10 ** power;
    const top = (8 + Math.floor(random() * random() * 400)) * step;
    const decimals = Math.max(0, (first === 2.5 ? 1 : 0) - power) + (random() < 0.3 ? 1 : 0);
    const locale = pick(['en-US', 'de-DE', undefined]);
    const write = (price: number) =>
      locale ? price.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) : price.toFixed(decimals);
    const damage = pick(DAMAGES);
    const damaged = (text: string) =>
      damage === 'percent' ? `${text}%` : damage === 'lost points' ? text.replace(/[.,](\d+)$/, LOST) : text;
    const texts: Text[] = labels(top, step, (price) => damaged(write(price)));
    const last = 40 + Math.floor(random() * 280);
    if (damage === 'hidden') texts.push({ y: last, text: write(priceAt(last, top, step)), tag: true });
    const scale = pick([1, 2]);
    const cut = damage === 'cut' ? Math.floor((10 + random() * 60) * scale) : 0;
    const side = pick(['left', 'right'] as const);
    const align = pick(['start', 'middle', 'end'] as const);
    const look = { font: pick(FONTS), size: pick([10, 11, 12, 13, 14, 16]), weight: pick([400, 400, 700]), dark: random() < 0.5 };
    const chart = await drawLabelled({ seed, texts, side, align, scale, cut, margin: 110, ...look });
    return { chart, truth: (y: number) => priceAt(y, top, step), text: texts.map((label) => label.text).join(' ') };
  }
  it('none has a price that is wrong by half a percent, and many have prices', { timeout: 5000 * CHARTS }, async () => {
    let accepted = 0;
    for (let seed = 1; seed <= CHARTS; seed++) {
      const { chart, truth, text } = await drawByChance(seed);
      const axis = axisOf(chart);
      if (!axis) continue;
      accepted++;
      expect(wrongBy(axis, chart, truth), `seed ${seed}: ${text}`).toBeLessThan(0.005);
    }
    expect(accepted).toBeGreaterThan(CHARTS / 10);
  });
});
