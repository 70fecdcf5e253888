import { toCells } from './cells.ts';
import { characterOf } from './characters.ts';
import { type Glyph, heightOf } from './glyphs.ts';
import type { Strip } from './strip.ts';
import { PART, type TextLine } from './text-lines.ts';

/** Widths in digit heights: above the first, a glyph is more than one digit; the others limit a digit. */
const WIDE = 0.74;
const DIGIT = { least: 0.42, most: 0.8 };
/** Maximum number of touching digits. */
const MAX_PIECES = 6;

export const isWide = (glyph: Glyph, line: Glyph): boolean => glyph.right - glyph.left + 1 > WIDE * heightOf(line);

/**
 * Splits touching digits of small print at the columns with the least ink. Undefined unless every piece reads as a digit. No piece
 * may be a 1, because any stroke resembles it.
 */
export function splitDigits(strip: Strip, line: TextLine, whole: Glyph): Glyph[] | undefined {
  if (whole.right - whole.left + 1 > MAX_PIECES * DIGIT.most * heightOf(line)) return undefined;
  const height = heightOf(line);
  const cuts = valleysOf(strip, whole);
  const least = PART * line.full;
  const known = new Map<number, Glyph[] | undefined>();
  /** Returns the digits from a column to the end, if all are readable. */
  const from = (left: number): Glyph[] | undefined => {
    if (known.has(left)) return known.get(left);
    let found: Glyph[] | undefined;
    for (const cut of [...cuts, whole.right + 1]) {
      const columns = cut - left;
      if (columns < DIGIT.least * height || columns > DIGIT.most * height + 2) continue;
      const piece = trimmed(strip, { ...whole, left, right: cut - 1 }, least);
      if (!piece || !/[02-9]/.test(characterOf(toCells(strip, { ...piece, top: line.top, bottom: line.bottom }, line.full))?.sign ?? ''))
        continue;
      const rest = cut > whole.right ? [] : from(cut);
      if (rest && (!found || rest.length + 1 < found.length)) found = [piece, ...rest];
    }
    known.set(left, found);
    return found;
  };
  return from(whole.left);
}

/** Returns the columns with less ink than their neighbors. */
function valleysOf(strip: Strip, { left, right, top, bottom }: Glyph): number[] {
  const drawn = Array.from({ length: right - left + 1 }, (_, index) => drawnAt(strip, left + index, top, bottom));
  return drawn.flatMap((sum, index) => {
    const [before, after] = [drawn[index - 1], drawn[index + 1]];
    return before !== undefined && after !== undefined && sum <= before && sum <= after ? [left + index, left + index + 1] : [];
  });
}

function drawnAt({ contrast, width }: Strip, x: number, top: number, bottom: number): number {
  let sum = 0;
  for (let y = top; y <= bottom; y++) sum += contrast[y * width + x] as number;
  return sum;
}

/** Removes nearly empty columns and rows around a piece. */
function trimmed({ contrast, width }: Strip, piece: Glyph, least: number): Glyph | undefined {
  let { left, right, top, bottom } = { left: piece.right, right: piece.left, top: piece.bottom, bottom: piece.top };
  for (let y = piece.top; y <= piece.bottom; y++) {
    for (let x = piece.left; x <= piece.right; x++) {
      if ((contrast[y * width + x] as number) < least) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  return left <= right ? { left, right, top, bottom } : undefined;
}
