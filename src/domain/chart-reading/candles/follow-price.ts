import type { Piece } from './pieces.ts';

/** Maximum empty places between two candles: hours without trades, or marks over a candle. */
const MAX_EMPTY = 3;

/**
 * Picks one piece for each place so that the price is continuous: candles overlap their neighbors, letters and volume bars don't.
 * `pieces` lists the pieces of each place. Dynamic programming over the places.
 */
export function followPrice(pieces: readonly (readonly Piece[])[]): Piece[] {
  const baseline = findBaseline(pieces);
  const heights = pieces.flatMap((column) => column.map(({ top, bottom }) => bottom - top + 1)).sort((a, b) => a - b);
  const unit = Math.max(4, 1.5 * (heights[Math.floor(heights.length * 0.6)] ?? 4));

  interface Step {
    piece: Piece;
    score: number;
    before: Step | undefined;
  }
  let best: Step | undefined;
  const recent: Step[][] = [];
  for (const column of pieces) {
    const steps = column.map((piece): Step => {
      let score = 0;
      let before: Step | undefined;
      for (const [back, earlier] of recent.entries()) {
        for (const step of earlier) {
          const total = step.score - Math.min(2.5, gap(step.piece, piece) / unit) - 0.3 * back;
          if (total <= score) continue;
          score = total;
          before = step;
        }
      }
      return { piece, score: score + worth(piece, baseline), before };
    });
    for (const step of steps) if (!best || step.score > best.score) best = step;
    recent.unshift(steps);
    if (recent.length > MAX_EMPTY + 1) recent.pop();
  }
  const path: Piece[] = [];
  for (let step = best; step; step = step.before) path.push(step.piece);
  return path.reverse();
}

function worth(piece: Piece, baseline: number | undefined): number {
  if (baseline !== undefined && Math.abs(piece.bottom - baseline) <= 1) return -0.5;
  const height = piece.bottom - piece.top + 1;
  return (height >= 3 ? 0.8 : 0.3) + (piece.bodyRows > 0 ? 0.2 : 0);
}

/** Returns the rows between two pieces, 0 if they overlap. */
export const gap = (a: Pick<Piece, 'top' | 'bottom'>, b: Pick<Piece, 'top' | 'bottom'>): number =>
  Math.max(0, a.top - b.bottom, b.top - a.bottom);

/** Returns the baseline row of volume bars. */
function findBaseline(pieces: readonly (readonly Piece[])[]): number | undefined {
  const ends = new Map<number, { count: number; tops: Set<number> }>();
  for (const column of pieces) {
    for (const { bottom, top } of column) {
      const end = ends.get(bottom) ?? { count: 0, tops: new Set() };
      end.count++;
      end.tops.add(top);
      ends.set(bottom, end);
    }
  }
  let found: number | undefined;
  let most = 0.35 * pieces.length;
  for (const [row, { count, tops }] of ends) {
    if (count <= most || tops.size < 4) continue;
    most = count;
    found = row;
  }
  return found;
}
