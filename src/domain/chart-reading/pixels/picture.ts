/** A decoded picture: rows of red, green, blue and alpha, one byte each, from the top left. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8ClampedArray;
  /** Pixels of the original per pixel, in one direction, if it was scaled down before. */
  reduced?: number;
}

/** An opaque working copy. One of its pixels covers `scale` × `scale` pixels of the original. */
export interface Raster {
  width: number;
  height: number;
  /** Red, green and blue of each pixel. */
  rgb: Uint8Array;
  scale: number;
}

/** Larger pictures are photos and scaled down; screenshots stay pixel-exact. */
export const MAX_RASTER_PIXELS = 5_000_000;

/** Returns a copy on white, scaled down by a whole factor if needed. */
export function toRaster({ width, height, data, reduced = 1 }: Picture): Raster {
  const scale = Math.max(1, Math.ceil(Math.sqrt((width * height) / MAX_RASTER_PIXELS)));
  const columns = Math.max(1, Math.floor(width / scale));
  const rows = Math.max(1, Math.floor(height / scale));
  const rgb = new Uint8Array(columns * rows * 3);
  const samples = scale * scale;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let dy = 0; dy < scale; dy++) {
        let at = ((y * scale + dy) * width + x * scale) * 4;
        for (let dx = 0; dx < scale; dx++, at += 4) {
          const alpha = data[at + 3] as number;
          const white = 255 - alpha;
          red += ((data[at] as number) * alpha) / 255 + white;
          green += ((data[at + 1] as number) * alpha) / 255 + white;
          blue += ((data[at + 2] as number) * alpha) / 255 + white;
        }
      }
      const to = (y * columns + x) * 3;
      rgb[to] = Math.round(red / samples);
      rgb[to + 1] = Math.round(green / samples);
      rgb[to + 2] = Math.round(blue / samples);
    }
  }
  return { width: columns, height: rows, rgb, scale: scale * reduced };
}

/** Rotates a quarter turn clockwise. */
export function turn({ width, height, rgb, scale }: Raster): Raster {
  const turned = new Uint8Array(rgb.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const to = (x * height + height - 1 - y) * 3;
      turned[to] = rgb[at] as number;
      turned[to + 1] = rgb[at + 1] as number;
      turned[to + 2] = rgb[at + 2] as number;
    }
  }
  return { width: height, height: width, rgb: turned, scale };
}
