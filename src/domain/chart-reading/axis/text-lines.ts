import { findGlyphs, type Glyph, heightOf, strengthOf } from './glyphs.ts';
import type { Strip } from './strip.ts';

/** Characters side by side, from the left, with whatever stands among and close beside them; bounds are included. */
export interface TextLine extends Glyph {
  /** From the left; those of full height reach from `top` to `bottom`. */
  glyphs: Glyph[];
  /** The contrast of what is filled. */
  full: number;
}

/** Less contrast than this is a grid line or noise. */
const LEAST_CONTRAST = 30;
/** Of the contrast of text, what a pixel has at least to be part of a character. */
export const PART = 0.4;
/** More than these are noise. */
const MOST_GLYPHS = 4000;
/** Rows of digits that can be told from each other, and of those that are no axis' any more. */
const HEIGHTS = { least: 7, most: 44 };
/** In heights of a character: the widest that may be several, what is between two of one line at most, and how close other things belong to it. */
const WIDEST = 4.5;
const GAP = 0.9;
const BESIDE = 0.8;
/** By how much tops and feet of one line differ, in heights. */
const UNEVEN = 0.08;

export function findTextLines(strip: Strip): TextLine[] {
  const strengths = findGlyphs(strip, LEAST_CONTRAST)
    .filter(isTall)
    .map((glyph) => strengthOf(strip, glyph))
    .sort((a, b) => a - b);
  if (strengths.length === 0) return [];
  const glyphs = findGlyphs(strip, Math.max(LEAST_CONTRAST, PART * (strengths[strengths.length >> 1] as number)));
  if (glyphs.length > MOST_GLYPHS) return [];
  return sideBySide(glyphs.filter(isTall)).map((tall) => {
    const line = boundsOf(tall);
    const height = heightOf(line);
    const members = glyphs.filter(
      ({ left, right, top, bottom }) =>
        bottom >= line.top &&
        top <= line.bottom &&
        right >= line.left - BESIDE * height &&
        left <= line.right + BESIDE * height &&
        // A frame or a line around it is no part of it.
        bottom - top < 3 * height,
    );
    return {
      ...line,
      glyphs: members.sort((a, b) => a.left - b.left),
      full: Math.max(...tall.map((glyph) => strengthOf(strip, glyph))),
    };
  });
}

/** Whether a glyph reaches from the top of its line to the foot. */
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

/** Its rows are those of most characters: a currency's sign may reach beyond them. */
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
