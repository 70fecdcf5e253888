import { BACKGROUND } from '../pixels/inks.ts';
import type { Piece } from './pieces.ts';

type Feature = (piece: Piece) => number | undefined;

/** What can distinguish a rise from a fall: color, outline or filled body, fill color. */
const FEATURES: readonly Feature[] = [({ ink }) => ink, ({ fill }) => fill && Number(fill !== BACKGROUND), ({ fill }) => fill];

/**
 * Returns for each candle whether it rose. Colors have no fixed meaning, so the right reading is the one in which each candle opens
 * where the previous one closed. The pieces are in order of time.
 */
export function findDirections(pieces: readonly Piece[]): boolean[] {
  let best = follow(pieces, () => undefined);
  // With every candle free, noise alone fits well, so that reading must win by far.
  let least = best.misfit * 1.5 + 1;
  for (const telling of FEATURES) {
    const [one, two] = mostFrequent(pieces, telling);
    if (one === undefined || two === undefined) continue;
    for (const rising of [one, two]) {
      const read = follow(pieces, (piece) => {
        const told = telling(piece);
        return told === one || told === two ? told === rising : undefined;
      });
      if (read.misfit >= least) continue;
      best = read;
      least = read.misfit;
    }
  }
  return best.rising;
}

function follow(pieces: readonly Piece[], told: (piece: Piece) => boolean | undefined): { rising: boolean[]; misfit: number } {
  let misfit = 0;
  let close: number | undefined;
  const rising = pieces.map((piece, index) => {
    const opensAt = (up: boolean) => (up ? piece.bodyBottom : piece.bodyTop);
    const next = pieces[index + 1];
    const from = close ?? (piece.bodyTop + piece.bodyBottom) / 2;
    const toNext = (y: number) => (next ? Math.max(0, next.bodyTop - y, y - next.bodyBottom) : 0);
    const cost = (up: boolean) => Math.abs(opensAt(up) - from) + toNext(opensAt(!up));
    const up = told(piece) ?? cost(true) <= cost(false);
    if (close !== undefined) misfit += Math.abs(opensAt(up) - close);
    close = opensAt(!up);
    return up;
  });
  return { rising, misfit };
}

function mostFrequent(pieces: readonly Piece[], telling: Feature): (number | undefined)[] {
  const counts = new Map<number, number>();
  for (const piece of pieces) {
    const told = telling(piece);
    if (told !== undefined) counts.set(told, (counts.get(told) ?? 0) + 1);
  }
  const least = Math.max(1, 0.04 * pieces.length);
  return [...counts]
    .filter(([, count]) => count >= least)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 2)
    .map(([told]) => told);
}
