import type { Strip } from './strip.ts';

/** Connected pixels: first and last column of the strip, first and last row. */
export interface Glyph {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns the groups of connected pixels (diagonals too) with at least this contrast. */
export function findGlyphs({ contrast, width, height }: Strip, least: number): Glyph[] {
  const seen = new Uint8Array(contrast.length);
  const glyphs: Glyph[] = [];
  const open: number[] = [];
  for (let start = 0; start < contrast.length; start++) {
    if (seen[start] || (contrast[start] as number) < least) continue;
    const glyph = { left: width, right: 0, top: height, bottom: 0 };
    seen[start] = 1;
    open.push(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % width;
      const y = (at - x) / width;
      glyph.left = Math.min(glyph.left, x);
      glyph.right = Math.max(glyph.right, x);
      glyph.top = Math.min(glyph.top, y);
      glyph.bottom = Math.max(glyph.bottom, y);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (seen[next] || (contrast[next] as number) < least) continue;
          seen[next] = 1;
          open.push(next);
        }
      }
    }
    glyphs.push(glyph);
  }
  return glyphs;
}

export const heightOf = ({ top, bottom }: Pick<Glyph, 'top' | 'bottom'>): number => bottom - top + 1;

/** Returns the strongest contrast of a glyph. */
export function strengthOf({ contrast, width }: Strip, { left, right, top, bottom }: Glyph): number {
  let most = 0;
  for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) most = Math.max(most, contrast[y * width + x] as number);
  return most;
}
