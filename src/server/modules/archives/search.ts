import { setImmediate as otherWork } from 'node:timers/promises';
import { ARCHIVES_PAGE } from '#contract/chat/archive-limits.ts';
import type { Db } from '#server/db/open.ts';
import { piecesOf } from './pieces.ts';
import { type ArchiveRow, countQuestions, findSaid, listArchives, type Place } from './store.ts';

export interface Bounds {
  /** Questions per query. */
  piece: number;
  /** Maximum number of queries per page. */
  most: number;
}

/** Small enough that each query takes milliseconds for any text. */
const BOUNDS: Bounds = { piece: 50, most: 200 };

export interface Page {
  rows: ArchiveRow[];
  /** Start of the next page; undefined after the last one. */
  next: Place | undefined;
}

interface Search {
  userId: string;
  needle: string;
  after: Place | undefined;
}

/** Finds the archives after a row whose title, questions or answers contain `needle` (folded text); newest first. */
export async function searchPage(db: Db, { userId, needle, after }: Search, { piece, most }: Bounds = BOUNDS): Promise<Page> {
  const found: ArchiveRow[] = [];
  let place = after;
  for (let room = most; room > 0; ) {
    const batch = await listArchives(db, userId, place, ARCHIVES_PAGE);
    const looked = await lookThrough(db, { userId, needle, batch, piece, room, atLeast: room === most ? 1 : 0 });
    found.push(...looked.found);
    const isEnd = looked.last === batch.at(-1) && batch.length < ARCHIVES_PAGE;
    if (isEnd && found.length <= ARCHIVES_PAGE) return { rows: found, next: undefined };
    if (found.length >= ARCHIVES_PAGE) return { rows: found.slice(0, ARCHIVES_PAGE), next: found[ARCHIVES_PAGE - 1] };
    place = looked.last ?? place;
    room -= looked.pieces;
  }
  return { rows: found, next: place };
}

interface Look extends Pick<Search, 'userId' | 'needle'>, Pick<Bounds, 'piece'> {
  batch: readonly ArchiveRow[];
  /** Remaining number of queries. */
  room: number;
  /** Minimum number of archives to finish, even if they need more queries. */
  atLeast: number;
}

/** Scans as many of these archives as `room` queries allow. */
async function lookThrough(db: Db, { userId, needle, batch, piece: size, room, atLeast }: Look) {
  const untitled = batch.filter(({ foldedTitle }) => !foldedTitle.includes(needle));
  const questions = await countQuestions(
    db,
    userId,
    untitled.map(({ id }) => id),
  );
  const pieces = piecesOf(
    untitled.map(({ id }) => ({ id, questions: questions.get(id) ?? 0 })),
    size,
  );
  const said = new Set<string>();
  for (const piece of pieces.slice(0, room)) {
    await otherWork();
    // New questions may have arrived since the count.
    for (const id of await findSaid(db, userId, needle, { ...piece, limit: 2 * size })) said.add(id);
  }
  const left = pieces[room]?.ids[0];
  const end =
    left === undefined
      ? batch.length
      : Math.max(
          atLeast,
          batch.findIndex(({ id }) => id === left),
        );
  const seen = batch.slice(0, end);
  return {
    found: seen.filter(({ id, foldedTitle }) => said.has(id) || foldedTitle.includes(needle)),
    last: seen.at(-1),
    pieces: Math.max(1, Math.min(room, pieces.length)),
  };
}
