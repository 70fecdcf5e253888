import sharp from 'sharp';
import { drawLabelled, GRID_ROWS } from './labeled-chart.ts';

/** Returns a PNG of a candle chart whose axis has prices from `top` down, `step` apart. */
export async function axisPicture({ top, step }: { top: number; step: number }): Promise<Buffer> {
  const price = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });
  const texts = GRID_ROWS.map((y, at) => ({ y, text: price.format(top - at * step) }));
  const { picture } = await drawLabelled({ seed: 3, scale: 2, texts });
  const { width, height, data } = picture;
  return sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}
