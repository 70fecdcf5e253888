import { toCells } from './cells.ts';
import { type Character, characterOf } from './characters.ts';
import { type Glyph, heightOf } from './glyphs.ts';
import { isWide, splitDigits } from './split.ts';
import type { Strip } from './strip.ts';
import { isFull, type TextLine } from './text-lines.ts';

/** Text of price characters, with its columns and rows. */
export interface Label extends Glyph {
  text: string;
  /** Digits that might be others. */
  unsure: string;
}

/** Longer lines are sentences. */
const MAX_CHARACTERS = 16;
/** Maximum gap between two digits, and beside a 1, in digit heights. A larger gap may be a lost decimal point. */
const MAX_GAP = 0.34;
const MAX_GAP_BY_ONE = 0.46;
/** Minimum ink in a gap, relative to a digit, that may be the rest of a decimal point. */
const REMAINS = 0.2;
/** Required space around a label and at the picture's edge, where digits may be cut off, in digit heights. */
const CLEAR = 0.4;
const CLEAR_AT_EDGE = 0.65;
/** Maximum ink of empty space, relative to a digit. */
const EMPTY = 0.3;

export interface Reading {
  /** Undefined unless every character belongs to a price. */
  label: Label | undefined;
  /** Number of digits read with certainty. */
  digits: number;
}

/** Reads one line of text. `edges` names the sides of the strip where the picture ends. */
export function readLine(strip: Strip, line: TextLine, edges: { left: boolean; right: boolean }): Reading {
  if (line.glyphs.length > MAX_CHARACTERS) return { label: undefined, digits: 0 };
  const signs = line.glyphs.map((glyph, index) => ({ glyph, character: characterIn(strip, glyph, line, index === 0) }));
  const digits = signs.filter(({ character }) => isDigit(character?.sign ?? '')).length;
  if (signs.some(({ glyph, character }) => character === undefined && !isWide(glyph, line))) return { label: undefined, digits };
  const all = signs.flatMap(({ glyph, character }) => {
    const pieces = isWide(glyph, line) ? splitDigits(strip, line, glyph) : undefined;
    return pieces?.map((piece) => ({ glyph: piece, character: characterIn(strip, piece, line, false) })) ?? [{ glyph, character }];
  });
  const text = all.map(({ character }) => character?.sign ?? '?').join('');
  const unsure = all.map(({ character }) => (character && !character.isSure ? character.sign : '')).join('');
  const label = { text, unsure, ...spanOf(all.map(({ glyph }) => glyph)), top: line.top, bottom: line.bottom };
  const isRead =
    !text.includes('?') &&
    all.every(({ glyph }, index) => follows(strip, all[index - 1]?.glyph, glyph, { line, pair: text.slice(index - 1, index + 1) }));
  return { label: isRead && isWhole(strip, { ...line, ...label }, edges) ? label : undefined, digits: text.replace(/\D/g, '').length };
}

const isDigit = (character: string) => /\d/.test(character);

const spanning = ({ left, right }: Glyph, { top, bottom }: TextLine): Glyph => ({ left, right, top, bottom });

const spanOf = (glyphs: readonly Glyph[]) => ({
  left: Math.min(...glyphs.map(({ left }) => left)),
  right: Math.max(...glyphs.map(({ right }) => right)),
});

function characterIn(strip: Strip, glyph: Glyph, line: TextLine, isFirst: boolean): Character | undefined {
  const separator = separatorIn(glyph, line);
  if (separator) return { sign: separator, isSure: true };
  // A dollar sign is taller than digits.
  const isTaller = heightOf(glyph) > heightOf(line) && heightOf(glyph) < 1.5 * heightOf(line);
  const currency = isFirst && isTaller ? characterOf(toCells(strip, glyph, line.full)) : undefined;
  if (currency?.sign === '$') return currency;
  return isFull(glyph, line) ? characterOf(toCells(strip, spanning(glyph, line), line.full)) : undefined;
}

/** Returns the separator that a small low mark shows: a point ends near the baseline, a comma is longer and ends below it. */
function separatorIn({ left, right, top, bottom }: Glyph, line: TextLine): '.' | ',' | undefined {
  const height = heightOf(line);
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  if (top < line.top + 0.6 * height || columns > 0.34 * height) return undefined;
  const below = bottom - line.bottom;
  const one = Math.max(1, 0.1 * height);
  if (Math.abs(below) <= one && rows <= Math.max(2, 0.3 * height) && (below <= 0 || rows <= columns)) return '.';
  return below >= one && below <= 0.4 * height && rows >= 3 && rows > columns ? ',' : undefined;
}

/** Tests that no character is missing between two others. */
function follows(strip: Strip, before: Glyph | undefined, glyph: Glyph, { line, pair }: { line: TextLine; pair: string }): boolean {
  if (!before) return true;
  const height = heightOf(line);
  const gap = glyph.left - before.right - 1;
  if (gap > (pair.includes('1') ? MAX_GAP_BY_ONE : MAX_GAP) * height) return false;
  if (!/\d\d/.test(pair)) return true;
  for (let x = before.right + 2; x < glyph.left - 1; x++)
    for (let y = Math.ceil(line.bottom - 0.3 * height); y <= line.bottom + 1; y++)
      if (contrastAt(strip, x, y) >= REMAINS * line.full) return false;
  return true;
}

/** Tests that a label is complete: one that an edge or another shape cuts off is a different number. */
function isWhole(strip: Strip, label: TextLine, edges: { left: boolean; right: boolean }): boolean {
  const height = heightOf(label);
  const room = (isEdge: boolean) => Math.ceil((isEdge ? CLEAR_AT_EDGE : CLEAR) * height);
  const [before, after] = [label.left, strip.width - 1 - label.right];
  if (before < room(edges.left) || after < room(edges.right)) return false;
  for (let aside = 2; aside <= room(false); aside++)
    for (let y = label.top; y <= label.bottom; y++)
      if (Math.max(contrastAt(strip, label.left - aside, y), contrastAt(strip, label.right + aside, y)) > EMPTY * label.full) return false;
  return true;
}

const contrastAt = ({ contrast, width, height }: Strip, x: number, y: number) =>
  x < 0 || x >= width || y < 0 || y >= height ? 0 : (contrast[y * width + x] as number);
