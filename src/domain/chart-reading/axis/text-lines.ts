import { findGlyphs, type Glyph, heightOf, strengthOf } from './glyphs.ts';
import type { Strip } from './strip.ts';

/** Characters side by side, with marks among and close to them. Bounds are inclusive. */
export interface TextLine extends Glyph {
  /** Left to right. Full-height glyphs reach from `top` to `bottom`. */
  glyphs: Glyph[];
  /** Contrast of a filled pixel. */
  full: number;
}

/** Lower contrast is a grid line or noise. */
const MIN_CONTRAST = 30;
/** Minimum contrast of a character's pixel, relative to the text's contrast. */
export const PART = 0.4;
/** More glyphs are noise. */
const MAX_GLYPHS = 4000;
/** Rows of readable digits: fewer are illegible, more are no axis. */
const HEIGHTS = { least: 7, most: 44 };
/** In character heights: maximum width of touching characters, maximum gap within a line, and maximum distance of marks. */
const WIDEST = 4.5;
const GAP = 0.9;
const BESIDE = 0.8;
/** Maximum difference of tops and baselines within a line, in heights. */
const UNEVEN = 0.08;

export function findTextLines(strip: Strip): TextLine[] {
  const strengths = findGlyphs(strip, MIN_CONTRAST)
    .filter(isTall)
    .map((glyph) => strengthOf(strip, glyph))
    .sort((a, b) => a - b);
  if (strengths.length === 0) return [];
  const glyphs = findGlyphs(strip, Math.max(MIN_CONTRAST, PART * (strengths[strengths.length >> 1] as number)));
  if (glyphs.length > MAX_GLYPHS) return [];
  return sideBySide(glyphs.filter(isTall)).map((tall) => {
    const line = boundsOf(tall);
    const height = heightOf(line);
    const members = glyphs.filter(
      ({ left, right, top, bottom }) =>
        bottom >= line.top &&
        top <= line.bottom &&
        right >= line.left - BESIDE * height &&
        left <= line.right + BESIDE * height &&
        // Excludes frames and lines around the text.
        bottom - top < 3 * height,
    );
    return {
      ...line,
      glyphs: members.sort((a, b) => a.left - b.left),
      full: Math.max(...tall.map((glyph) => strengthOf(strip, glyph))),
    };
  });
}

/** Tests that a glyph has the full height of its line. */
export const isFull = (glyph: Glyph, line: Glyph): boolean => {
  const uneven = Math.max(1, UNEVEN * heightOf(line));
  return Math.abs(glyph.top - line.top) <= uneven && Math.abs(glyph.bottom - line.bottom) <= uneven;
};

function sideBySide(glyphs: readonly Glyph[]): Glyph[][] {
  const lines: Glyph[][] = [];
  for (const glyph of [...glyphs].sort((a, b) => a.left - b.left)) {
    const line = lines.find((members) => {
      const last = members.at(-1) as Glyph;
      return isFull(glyph, last) && glyph.left - last.right - 1 < GAP * heightOf(glyph);
    });
    if (line) line.push(glyph);
    else lines.push([glyph]);
  }
  return lines;
}

/** Uses the rows of most characters, because a currency sign may be taller. */
const boundsOf = (glyphs: readonly Glyph[]): Glyph => ({
  left: Math.min(...glyphs.map(({ left }) => left)),
  right: Math.max(...glyphs.map(({ right }) => right)),
  top: middleOf(glyphs.map(({ top }) => top)),
  bottom: middleOf(glyphs.map(({ bottom }) => bottom)),
});

const middleOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

const isTall = (glyph: Glyph) => {
  const height = heightOf(glyph);
  return height >= HEIGHTS.least && height <= HEIGHTS.most && glyph.right - glyph.left < WIDEST * height;
};
