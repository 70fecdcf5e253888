/** The questions that one query scans: those of `ids` at positions from `from` to `to`. */
export interface Piece {
  ids: readonly string[];
  from: number;
  to: number;
}

interface Sized {
  id: string;
  /** Number of its questions. */
  questions: number;
}

const END = 2 ** 31 - 1;

/** Splits archives, in order, into pieces of at most `size` questions. A long archive becomes several pieces, newest first. */
export function piecesOf(archives: readonly Sized[], size: number): Piece[] {
  const pieces: Piece[] = [];
  let ids: string[] = [];
  let held = 0;
  const close = () => {
    if (ids.length > 0) pieces.push({ ids, from: 0, to: END });
    ids = [];
    held = 0;
  };
  for (const { id, questions } of archives) {
    if (held + questions > size) close();
    if (questions <= size) {
      ids.push(id);
      held += questions;
      continue;
    }
    for (let to = questions; to > 0; to -= size) pieces.push({ ids: [id], from: Math.max(1, to - size + 1), to });
  }
  close();
  return pieces;
}
