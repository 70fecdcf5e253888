import { breakLines, drawable, type Line, type Measure, type Run, type Style } from './break-lines.ts';

/** What to draw, in order. Places in px; `y` of a text is its baseline, `x` its start by its direction. */
export type Op =
  | { kind: 'box'; x: number; y: number; width: number; height: number; fill: 'surface' | 'tide-soft'; hasEdge: boolean }
  | { kind: 'text'; text: string; x: number; y: number; style: Style; isRtl: boolean };

/** Where text goes between left and right, px. */
export interface Place {
  x: number;
  width: number;
}

/** Space within a box, px. */
export const PADDING = 16;
const CELL_GAP = 12;
const LOWEST_LINE = 18;

const lineHeight = ({ runs }: Line): number => Math.max(...runs.map(({ style }) => Math.round(style.size * 1.5)), LOWEST_LINE);
const textOf = (line: Line | undefined): string => line?.runs.map(({ text }) => text).join('') ?? '';

export type Pen = ReturnType<typeof createPen>;

/** Puts text below text. What does not fit above `bottom` is left out, and `putLines` and those that use it return false. */
export function createPen(measure: Measure, top: number, bottom: number) {
  const ops: Op[] = [];
  const texts: string[] = [];
  let y = top;

  function putLine(line: Line, { x, width }: Place): void {
    const { runs, isRtl } = line;
    const baseline = y + Math.round(lineHeight(line) * 0.7);
    let from = isRtl ? x + width : x;
    for (const { text, style } of runs) {
      ops.push({ kind: 'text', text, x: from, y: baseline, style, isRtl });
      from += (isRtl ? -1 : 1) * measure(text, style);
    }
  }

  /** `end`: a lower bottom, for the last lines. */
  function putLines(lines: readonly Line[], place: Place, end = bottom): boolean {
    for (const line of lines) {
      const height = lineHeight(line);
      if (y + height > end) return false;
      putLine(line, place);
      texts.push(textOf(line));
      y += height;
    }
    return true;
  }

  const breakText = (text: string, style: Style, width: number): Line[] => breakLines([{ text: drawable(text), style }], width, measure);

  return {
    ops,
    texts,
    putLine,
    putLines,
    measure,
    y: () => y,
    skip: (height: number) => {
      y += height;
    },
    breakText,
    putText: (text: string, style: Style, place: Place, end?: number): boolean => putLines(breakText(text, style, place.width), place, end),

    /** Puts a row of a table, whose columns have the same width. */
    putRow(cells: readonly (readonly Run[])[], { x, width }: Place): boolean {
      const each = Math.max(1, (width - CELL_GAP * (cells.length - 1)) / cells.length);
      const columns = cells.map((runs) => breakLines(runs, each, measure));
      const count = Math.max(...columns.map(({ length }) => length));
      for (let row = 0; row < count; row++) {
        const height = Math.max(...columns.map(({ [row]: line }) => (line ? lineHeight(line) : 0)));
        if (y + height > bottom) return false;
        for (const [at, { [row]: line }] of columns.entries()) if (line) putLine(line, { x: x + at * (each + CELL_GAP), width: each });
        texts.push(columns.map(({ [row]: line }) => textOf(line)).join(' | '));
        y += height;
      }
      return true;
    },

    /** Puts a box around what `fill` puts. */
    inBox(box: Place & { fill: 'surface' | 'tide-soft'; hasEdge: boolean }, fill: () => boolean): boolean {
      const op = { kind: 'box' as const, ...box, y, height: 0 };
      ops.push(op);
      y += PADDING;
      const isWhole = fill();
      y += PADDING;
      op.height = y - op.y;
      return isWhole;
    },
  };
}
