import { BACKGROUND, type InkMap } from '../pixels/inks.ts';

/** A shape at one place of the lattice: a candle, a volume bar, a letter … */
export interface Piece {
  place: number;
  x: number;
  top: number;
  /** Last row. */
  bottom: number;
  bodyTop: number;
  bodyBottom: number;
  /** Rows as wide as a body; 0 for a stem. */
  bodyRows: number;
  /** Its most frequent ink. */
  ink: number;
  /** Ink inside the body, BACKGROUND for an outline. Undefined if the body is too small. */
  fill: number | undefined;
  /** Rows of a left and a right tick at different heights: a bar, not a candle. */
  ticks: { open: number; close: number } | undefined;
  /** Rows hidden by another shape. */
  covered: number;
}

export interface Column {
  place: number;
  /** Middle of the body. */
  x: number;
  /** Width of a body. */
  width: number;
}

/** Maximum rows of a wick or body that a crossing line can hide. */
const MAX_COVERED = 9;
/** Minimum rows of a wick that lost its color. */
const MIN_WICK = 3;

/** Returns the pieces in one column of candles, from the top. `inks` are the candles' inks. */
export function findPieces(map: InkMap, inks: ReadonlySet<number>, column: Column): Piece[] {
  const view = viewColumn(map, inks, column);
  const pieces: Piece[] = [];
  for (let y = 0; y < map.height; y++) {
    if (!view.isOn(y)) continue;
    const top = y;
    let bottom = y;
    let covered = 0;
    for (y++; y < map.height && y - bottom <= MAX_COVERED; y++) {
      if (view.isOn(y)) {
        covered += y - bottom - 1;
        bottom = y;
      } else if (!view.isCovered(y)) break;
    }
    y = bottom;
    pieces.push(extend(view, measure(view, { top, bottom, covered })));
  }
  return pieces;
}

type ColumnView = ReturnType<typeof viewColumn>;

/** Returns the pixel columns of a candle's body and wick, and tests of their rows. */
function viewColumn(map: InkMap, inks: ReadonlySet<number>, column: Column) {
  const { width, ink } = map;
  const left = Math.max(0, Math.round(column.x - (column.width - 1) / 2));
  const right = Math.min(width - 1, Math.round(column.x + (column.width - 1) / 2));
  const wickLeft = Math.max(0, column.width < 4 ? Math.floor(column.x) : Math.round(column.x) - 1);
  const wickRight = Math.min(width - 1, column.width < 4 ? Math.ceil(column.x) : Math.round(column.x) + 1);
  const edge = column.width >= 6 ? 1 : 0;
  const touches = (from: number, to: number, y: number) => {
    for (let x = from; x <= to; x++) if (inks.has(ink[y * width + x] as number)) return true;
    return false;
  };
  const isEdged = (y: number) => touches(left, left + edge, y) && touches(right - edge, right, y);
  const isOn = (y: number) => touches(wickLeft, wickRight, y) || (column.width >= 4 && isEdged(y));
  const isCovered = (y: number) => {
    for (let x = wickLeft; x <= wickRight; x++) if (ink[y * width + x] !== BACKGROUND) return true;
    return false;
  };
  return { map, inks, place: column.place, left, right, wickLeft, wickRight, touches, isEdged, isOn, isCovered, isWick };

  /** Tests a row for something thin in the middle: a wick, even if compression changed its color. */
  function isWick(y: number): boolean {
    const aside = Math.max(2, Math.round(0.4 * column.width));
    const isEmpty = (x: number) => x < 0 || x >= width || ink[y * width + x] === BACKGROUND;
    const middle = Math.round(column.x);
    return isCovered(y) && isEmpty(middle - aside) && isEmpty(middle + aside);
  }
}

/** Extends a piece by its wicks. If a crossing line hides a wick's end, half of the hidden rows count. */
function extend({ map: { height }, isWick, isCovered }: ColumnView, piece: Piece): Piece {
  let top = piece.top;
  while (top > 0 && isWick(top - 1)) top--;
  let bottom = piece.bottom;
  while (bottom < height - 1 && isWick(bottom + 1)) bottom++;
  // One or two rows are the soft edge of the piece.
  if (piece.top - top < MIN_WICK) top = piece.top;
  if (bottom - piece.bottom < MIN_WICK) bottom = piece.bottom;
  let above = 0;
  while (above < MAX_COVERED && top - above > 0 && isCovered(top - above - 1)) above++;
  let below = 0;
  while (below < MAX_COVERED && bottom + below < height - 1 && isCovered(bottom + below + 1)) below++;
  const hidden = (rows: number) => (rows < MAX_COVERED ? Math.min(2, rows >> 1) : 0);
  return { ...piece, top: top - hidden(above), bottom: bottom + hidden(below) };
}

function measure(view: ColumnView, { top, bottom, covered }: Pick<Piece, 'top' | 'bottom' | 'covered'>): Piece {
  const { map, inks, left, right, wickLeft, wickRight, touches, isEdged, isCovered } = view;
  const counts = new Map<number, number>();
  const full = Math.max(2, 0.62 * (right - left + 1));
  let bodyTop = -1;
  let bodyBottom = -1;
  let bodyRows = 0;
  let best = 0;
  let run = 0;
  let runTop = 0;
  const lefts: number[] = [];
  const rights: number[] = [];
  let both = 0;
  // A thick stem is up to half as wide as its ticks.
  const side = Math.max(1, Math.round((right - left + 1) / 4)) - 1;
  for (let row = top; row <= bottom; row++) {
    let count = 0;
    for (let x = left; x <= right; x++) {
      const number = map.ink[row * map.width + x] as number;
      if (!inks.has(number)) continue;
      count++;
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    const edged = isEdged(row);
    const onLeft = touches(left, Math.max(left, Math.min(wickLeft - 1, left + side)), row);
    const onRight = touches(Math.min(right, Math.max(wickRight + 1, right - side)), right, row);
    if (onLeft) lefts.push(row);
    if (onRight) rights.push(row);
    if (onLeft && onRight) both++;
    if (count >= full || edged) {
      bodyRows++;
      if (run === 0) runTop = row;
      run = row - runTop + 1;
      if (run > best) {
        best = run;
        bodyTop = runTop;
        bodyBottom = row;
      }
    } else if (run > 0 && !(isCovered(row) && !touches(wickLeft, wickRight, row))) run = 0;
  }
  if (bodyTop < 0) bodyTop = bodyBottom = (top + bottom) / 2;
  const ticks = areTicks(lefts, rights, both) ? { open: middle(lefts), close: middle(rights) } : undefined;
  const body = { bodyTop, bodyBottom, bodyRows };
  return {
    place: view.place,
    x: (left + right) / 2,
    top,
    bottom,
    ...body,
    ink: mostOf(counts),
    fill: fillOf(view, bodyTop, bodyBottom),
    ticks,
    covered,
  };
}

/** Tests for two ticks at different heights: thick ones share rows, but fewer than the sides of a body do. */
const areTicks = (lefts: readonly number[], rights: readonly number[], both: number) =>
  lefts.length > both && rights.length > both && both <= Math.max(2, 0.5 * Math.max(lefts.length, rights.length));

/** Returns the most frequent ink inside a body. Undefined if the body is too small. */
function fillOf({ map: { width, ink }, left, right }: ColumnView, top: number, bottom: number): number | undefined {
  const margin = right - left >= 9 ? 3 : 2;
  if (bottom - top < 2 * margin || right - left < 2 * margin) return undefined;
  const counts = new Map<number, number>();
  for (let y = top + margin; y <= bottom - margin; y++) {
    for (let x = left + margin; x <= right - margin; x++) {
      const number = ink[y * width + x] as number;
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
  }
  return mostOf(counts);
}

/** Measures a piece again where its body is, up to `slack` columns from its expected place, because charts draw on whole pixels. */
export function settle(map: InkMap, inks: ReadonlySet<number>, piece: Piece, column: Column, slack: number): Piece {
  const { width, ink } = map;
  const margin = slack + 1;
  const first = Math.round(column.x - (column.width - 1) / 2) - margin;
  const counts = Array.from({ length: column.width + 2 * margin }, (_, index) => {
    const x = first + index;
    if (x < 0 || x >= width) return 0;
    let count = 0;
    for (let y = piece.top; y <= piece.bottom; y++) if (inks.has(ink[y * width + x] as number)) count++;
    return count;
  });
  let best = { shift: 0, sum: Number.NEGATIVE_INFINITY };
  let least = Number.NEGATIVE_INFINITY;
  for (let step = 0; step <= 2 * slack; step++) {
    // 0, 1, -1, 2, -2 …, so the nearest of equals wins.
    const shift = step % 2 ? (step + 1) / 2 : -step / 2;
    const from = margin + shift;
    const to = from + column.width;
    // Ink right beside the window means that the window is off.
    let sum = -(counts[from - 1] as number) - (counts[to] as number);
    for (let index = from; index < to; index++) sum += counts[index] as number;
    if (sum > Math.max(best.sum, least)) best = { shift, sum };
    if (shift === 0) least = sum + 0.1 * Math.abs(sum);
  }
  if (best.shift === 0) return piece;
  const moved = findPieces(map, inks, { ...column, x: first + margin + best.shift + (column.width - 1) / 2 });
  const shared = ({ top, bottom }: Piece) => Math.min(bottom, piece.bottom) - Math.max(top, piece.top);
  return moved.reduce((most, other) => (shared(other) > shared(most) ? other : most), moved.find((other) => shared(other) >= 0) ?? piece);
}

const mostOf = (counts: ReadonlyMap<number, number>) => [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];

const middle = (rows: readonly number[]) => rows[rows.length >> 1] as number;
