import type { UserDb } from '#client/platform/db/user-db.ts';
import { WATCH } from '#contract/market/watchlist.ts';
import { type HeartCommand, heartCommands } from './heart-commands.ts';

export interface Watched {
  /** Ids of the coins with a heart, the newest heart first: what the server said and what it has yet to hear. */
  ids: number[];
  /** When the server last told all hearts, ms. Undefined: never, and nothing is known but what waits. */
  savedAt: number | undefined;
  /** When the server last took a heart from this device, ms. */
  heardAt: number | undefined;
  /** Hearts on their way, and those that were refused. */
  commands: HeartCommand[];
}

/** The stamp of the last answer that told all hearts. */
export const ANSWERED = 'watchlist';
/** That of the last answer on one heart. */
const HEARD = 'watchlist/heard';

/**
 * Which coins have a heart. What waits to be sent is laid over the server's word each time this is read, never written
 * into it: whatever becomes of the commands, there is nothing to undo (failure mode 19).
 */
export async function readWatched(db: UserDb): Promise<Watched> {
  const [rows, commands, answered, heard] = await Promise.all([
    db.watchlist.toArray(),
    heartCommands(db),
    db.stamps.get(ANSWERED),
    db.stamps.get(HEARD),
  ]);
  let ids = rows.sort((a, b) => a.place - b.place).map(({ id }) => id);
  for (const { state, body } of commands) {
    if (state === 'parked') continue;
    const watched = ids.includes(body.cryptoId);
    if (body.actionType === WATCH.add && !watched) ids = [body.cryptoId, ...ids];
    if (body.actionType === WATCH.remove && watched) ids = ids.filter((id) => id !== body.cryptoId);
  }
  return { ids, savedAt: answered?.savedAt, heardAt: heard?.savedAt, commands };
}

/** Stores the server's word on one heart. Call it in a transaction over `watchlist` and `stamps`. */
export async function storeHeart(db: UserDb, id: number, watched: boolean, now: number): Promise<void> {
  await db.stamps.put({ key: HEARD, savedAt: now });
  if (!watched) return db.watchlist.delete(id);
  if (await db.watchlist.get(id)) return;
  const places = (await db.watchlist.toArray()).map(({ place }) => place);
  await db.watchlist.add({ id, place: Math.min(1, ...places) - 1 });
}

/**
 * Stores the server's word on all hearts, as of a question asked at `askedAt`, ms. A heart that the server took
 * meanwhile may be missing from the answer: then what is stored is newer, and stays.
 */
export async function storeHearts(db: UserDb, ids: readonly number[], askedAt: number): Promise<void> {
  const heard = await db.stamps.get(HEARD);
  if (heard && heard.savedAt >= askedAt) return;
  const places = new Map(ids.map((id, place) => [id, place]));
  const rows = await db.watchlist.toArray();
  await db.watchlist.bulkDelete(rows.flatMap(({ id }) => (places.has(id) ? [] : id)));
  const known = new Map(rows.map(({ id, place }) => [id, place]));
  await db.watchlist.bulkPut([...places].flatMap(([id, place]) => (known.get(id) === place ? [] : { id, place })));
}
