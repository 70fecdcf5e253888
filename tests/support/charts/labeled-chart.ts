import sharp from 'sharp';
import type { Picture } from '#domain/chart-reading/pixels/picture.ts';
import { type DrawnChart, drawChart } from './drawn-chart.ts';

export interface Text {
  /** Middle row, in pixels before enlarging. */
  y: number;
  text: string;
  /** Drawn on a filled background, like the last price. */
  tag?: boolean;
}

export interface AxisOptions {
  seed: number;
  side?: 'left' | 'right';
  texts: readonly Text[];
  /** Texts on the opposite axis and above the labels. */
  others?: readonly Text[];
  /** Texts below the candles, left to right. */
  times?: readonly string[];
  font?: string;
  size?: number;
  weight?: number;
  align?: 'start' | 'middle' | 'end';
  dark?: boolean;
  colour?: string;
  grid?: boolean;
  /** Enlarges the chart by this factor before labels are drawn. */
  scale?: number;
  /** Columns of the axis that are cropped. */
  cut?: number;
  /** Width of the axis margin, in columns before enlarging. */
  margin?: number;
}

/** Rows of the grid lines and their labels. */
export const GRID_ROWS = [30, 80, 130, 180, 230, 280, 330] as const;
/** Columns left and right of the candles. */
const DRAWN = { left: 20, right: 70 };

/** A chart and its axis, in pixels of the picture. */
export interface LabelledChart extends DrawnChart {
  pitch: number;
  scale: number;
}

export async function drawLabelled(options: AxisOptions): Promise<LabelledChart> {
  const { side = 'right', dark = false, grid = true, scale = 1, margin = 90, cut = 0 } = options;
  const drawn = drawChart({ seed: options.seed, count: 60, dark, grid });
  const { width, height, data } = drawn.picture;
  const background = dark ? '#131722' : '#fff';
  const plot = width - DRAWN.right;
  const [before, after] = side === 'right' ? [options.others ? margin : 0, margin] : [margin, options.others ? margin : 20];
  const bare = await sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })
    .extract({ left: 0, top: 0, width: plot, height })
    .extend({ left: before, right: after, background })
    .png()
    .toBuffer();
  const chart = await sharp(bare)
    .resize((before + plot + after) * scale, height * scale, { kernel: 'nearest', fit: 'fill' })
    .png()
    .toBuffer();
  const [whole, rows] = [(before + plot + after) * scale, height * scale];
  const ends = { right: { from: before + plot, to: before + plot + after }, left: { from: 0, to: before + DRAWN.left } };
  const other = side === 'right' ? 'left' : 'right';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${rows}" font-family="${options.font ?? 'Liberation Sans'}"
    font-size="${(options.size ?? 12) * scale}" font-weight="${options.weight ?? 400}" fill="${options.colour ?? (dark ? '#c8ccd6' : '#222')}">
    ${options.texts.map((text) => write(text, { ...ends[side], side, options, scale })).join('')}
    ${(options.times ?? []).map((time, at) => `<text x="${(before + 30 + 60 * at) * scale}" y="${rows - 12 * scale}">${time}</text>`).join('')}
    ${(options.others ?? []).map((text) => write(text, { ...ends[other], side: other, options, scale })).join('')}</svg>`;
  const left = side === 'left' ? cut : 0;
  const { data: pixels, info } = await sharp(chart)
    .composite([{ input: Buffer.from(svg) }])
    .toBuffer()
    .then((written) =>
      sharp(written)
        .extract({ left, top: 0, width: whole - cut, height: rows })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true }),
    );
  const picture: Picture = { width: info.width, height: info.height, data: new Uint8ClampedArray(pixels) };
  const place = (at: number) => (at + 0.5) * scale - 0.5;
  const candles = drawn.candles.map(({ x, high, low, open, close }) => ({
    x: place(x + before) - left,
    high: place(high),
    low: place(low),
    open: place(open),
    close: place(close),
  }));
  return { picture, candles, pitch: 10 * scale, scale };
}

interface Where {
  from: number;
  to: number;
  side: 'left' | 'right';
  options: AxisOptions;
  scale: number;
}

/** Draws a label whose digits are vertically centered on its row, whatever the font. */
function write({ y, text, tag }: Text, { from, to, side, options, scale }: Where): string {
  const { align = side === 'right' ? 'start' : 'end', size = 12 } = options;
  const [left, right] = side === 'right' ? [from + 10, to - 10] : [from + 10, to - 12];
  const x = (align === 'start' ? left : align === 'end' ? right : (left + right) / 2) * scale;
  const middle = (y + 0.5) * scale;
  const box = tag
    ? `<rect x="${(from + 2) * scale}" y="${middle - 0.75 * size * scale}" width="${(to - from - 4) * scale}" height="${1.5 * size * scale}" fill="#ef5350"/>`
    : '';
  const fill = tag ? ' fill="#fff"' : '';
  return `${box}<text x="${x}" y="${middle + 0.36 * size * scale}" text-anchor="${align}"${fill}>${text}</text>`;
}
