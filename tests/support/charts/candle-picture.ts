import sharp from 'sharp';

const WIDTH = 720;
const HEIGHT = 420;
const CANDLES = 64;
const STEP = 10;

/** Draws a dark chart whose price swings three times between the same two levels. */
export function candlePicture(): Promise<Buffer> {
  const height = (at: number) => 210 - 120 * Math.sin(at / 3.2);
  const shapes = Array.from({ length: CANDLES }, (_, at) => {
    const [open, close] = [height(at), height(at + 1)];
    const x = 30 + at * STEP;
    const [top, bottom] = [Math.min(open, close), Math.max(open, close, Math.min(open, close) + 2)];
    const color = close < open ? '#26a69a' : '#ef5350';
    return (
      `<rect x="${x + 3}" y="${top - 8}" width="1" height="${bottom - top + 16}" fill="${color}"/>` +
      `<rect x="${x}" y="${top}" width="7" height="${bottom - top}" fill="${color}"/>`
    );
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" shape-rendering="crispEdges">
    <rect width="100%" height="100%" fill="#131722"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
