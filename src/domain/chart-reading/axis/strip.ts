import type { Raster } from '../pixels/picture.ts';

/** Part of a raster, without the last column and row. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Distance of each pixel of an area from the area's most frequent color, 0 to 255, row by row. */
export interface Strip {
  width: number;
  height: number;
  contrast: Uint8Array;
}

export function stripOf({ rgb, width: columns }: Raster, { left, right, top, bottom }: Area): Strip {
  const width = right - left;
  const height = bottom - top;
  const counts = new Map<number, number>();
  for (let y = top; y < bottom; y += 2) {
    for (let at = 3 * (y * columns + left), end = at + 3 * width; at < end; at += 3) {
      const color = ((rgb[at] as number) << 16) | ((rgb[at + 1] as number) << 8) | (rgb[at + 2] as number);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  let ground = 0;
  let most = 0;
  for (const [color, count] of counts) {
    if (count <= most) continue;
    most = count;
    ground = color;
  }
  const [red, green, blue] = [ground >> 16, (ground >> 8) & 255, ground & 255];
  const contrast = new Uint8Array(width * height);
  for (let y = top, to = 0; y < bottom; y++) {
    for (let at = 3 * (y * columns + left), end = at + 3 * width; at < end; at += 3, to++) {
      const apart =
        Math.abs((rgb[at] as number) - red) + Math.abs((rgb[at + 1] as number) - green) + Math.abs((rgb[at + 2] as number) - blue);
      contrast[to] = Math.round(apart / 3);
    }
  }
  return { width, height, contrast };
}
