import type { Picture } from '#domain/chart-reading/pixels/picture.ts';

/** Enlarges a picture with bilinear interpolation, as browsers do. */
export const enlarge = ({ width, height, data }: Picture, factor: number): Picture =>
  resample(Math.round(width * factor), Math.round(height * factor), (x, y, channel) => {
    const across = clamp((x + 0.5) / factor - 0.5, width - 1);
    const down = clamp((y + 0.5) / factor - 0.5, height - 1);
    const [left, top] = [Math.floor(across), Math.floor(down)];
    const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
    const at = (column: number, row: number) => data[(row * width + column) * 4 + channel] as number;
    const upper = at(left, top) + (at(right, top) - at(left, top)) * (across - left);
    const lower = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * (across - left);
    return upper + (lower - upper) * (down - top);
  });

/** Shrinks a picture by averaging the pixels that each new one covers. */
export const shrink = ({ width, height, data }: Picture, factor: number): Picture =>
  resample(Math.floor(width * factor), Math.floor(height * factor), (x, y, channel) => {
    let sum = 0;
    let weight = 0;
    const [left, right] = [x / factor, (x + 1) / factor];
    const [top, bottom] = [y / factor, (y + 1) / factor];
    for (let row = Math.floor(top); row < Math.min(height, bottom); row++) {
      const rows = Math.min(bottom, row + 1) - Math.max(top, row);
      for (let column = Math.floor(left); column < Math.min(width, right); column++) {
        const part = rows * (Math.min(right, column + 1) - Math.max(left, column));
        sum += part * (data[(row * width + column) * 4 + channel] as number);
        weight += part;
      }
    }
    return sum / weight;
  });

function resample(width: number, height: number, value: (x: number, y: number, channel: number) => number): Picture {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) for (let channel = 0; channel < 4; channel++, at++) data[at] = value(x, y, channel);
  }
  return { width, height, data };
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));
