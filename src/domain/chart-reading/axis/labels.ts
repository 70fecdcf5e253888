import { toCells } from './cells.ts';
import { type Character, characterOf } from './characters.ts';
import { type Glyph, heightOf } from './glyphs.ts';
import { isWide, splitDigits } from './split.ts';
import type { Strip } from './strip.ts';
import { isFull, type TextLine } from './text-lines.ts';

/** A text of what a price is written with, and the columns and rows it takes. */
export interface Label extends Glyph {
  text: string;
  /** Digits in it that may after all be others. */
  unsure: string;
}

/** Longer lines are sentences. */
const MOST_CHARACTERS = 16;
/** In heights of a digit: between two digits, and where one of them is a 1, which leaves room beside it; a lost point leaves more. */
const MOST_GAP = 0.34;
const MOST_GAP_BY_ONE = 0.46;
/** Ink in a gap, as a part of that of digits, that may be what is left of a point. */
const REMAINS = 0.2;
/** In heights: how much is empty around a whole label, and at the picture's edge, where digits may be cut off. */
const CLEAR = 0.4;
const CLEAR_AT_EDGE = 0.65;
/** Ink, as a part of that of digits, that nothing beside a label has. */
const EMPTY = 0.3;

export interface Reading {
  /** What the line says if it is wholly of characters that a price is written with. */
  label: Label | undefined;
  /** How many digits it has without doubt. */
  digits: number;
}

/** `edges`: which sides of the strip end the picture. */
export function readLine(strip: Strip, line: TextLine, edges: { left: boolean; right: boolean }): Reading {
  if (line.glyphs.length > MOST_CHARACTERS) return { label: undefined, digits: 0 };
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
  // The stroke of a dollar sign reaches beyond the digits.
  const isTaller = heightOf(glyph) > heightOf(line) && heightOf(glyph) < 1.5 * heightOf(line);
  const currency = isFirst && isTaller ? characterOf(toCells(strip, glyph, line.full)) : undefined;
  if (currency?.sign === '$') return currency;
  return isFull(glyph, line) ? characterOf(toCells(strip, spanning(glyph, line), line.full)) : undefined;
}

/** A small mark at the foot of the line: a point ends about where the digits do, a comma is longer and ends below them. */
function separatorIn({ left, right, top, bottom }: Glyph, line: TextLine): '.' | ',' | undefined {
  const height = heightOf(line);
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  if (top < line.top + 0.6 * height || columns > 0.34 * height) return undefined;
  const below = bottom - line.bottom;
  const one = Math.max(1, 0.1 * height);
  if (Math.abs(below) <= one && rows <= Math.max(2, 0.3 * height) && (below <= 0 || rows <= columns)) return '.';
  return below >= one && below <= 0.4 * height && rows >= 3 && rows > columns ? ',' : undefined;
}

/** Whether nothing is missing between two characters. */
function follows(strip: Strip, before: Glyph | undefined, glyph: Glyph, { line, pair }: { line: TextLine; pair: string }): boolean {
  if (!before) return true;
  const height = heightOf(line);
  const gap = glyph.left - before.right - 1;
  if (gap > (pair.includes('1') ? MOST_GAP_BY_ONE : MOST_GAP) * height) return false;
  if (!/\d\d/.test(pair)) return true;
  for (let x = before.right + 2; x < glyph.left - 1; x++)
    for (let y = Math.ceil(line.bottom - 0.3 * height); y <= line.bottom + 1; y++)
      if (contrastAt(strip, x, y) >= REMAINS * line.full) return false;
  return true;
}

/** Whether the label ends where it seems to: what is cut off at an edge, or covered, is another number. */
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
