import { isOutdated } from '#client/platform/cache/is-outdated.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { WATCH } from '#contract/market/choices.ts';
import { moved } from '#domain/market/watch-order.ts';
import { type HeartCommand, heartCommands, isMove } from './heart-commands.ts';

export interface Watched {
  /** Ids of watched coins in the user's order: the server's state with waiting changes applied. */
  ids: number[];
  /** When the server last sent the whole watchlist, ms UTC. Undefined if never: then only waiting changes are known. */
  savedAt: number | undefined;
  /** When the server last stored a change of this device, ms UTC. */
  sentAt: number | undefined;
  /** Waiting and refused changes. */
  commands: HeartCommand[];
}

/** Stamp of the last answer with the whole watchlist. */
export const ANSWERED = 'watchlist';
/** Stamp of the last answer to one change. */
export const SENT = 'watchlist/heard';

/**
 * Reads which coins are watched. Waiting changes are applied on each read and never written into the server's state,
 * so that a refused change needs no undo.
 */
export async function readWatched(db: UserDb): Promise<Watched> {
  const [rows, commands, answered, sent] = await Promise.all([
    db.watchlist.toArray(),
    heartCommands(db),
    db.stamps.get(ANSWERED),
    db.stamps.get(SENT),
  ]);
  let ids = rows.sort((a, b) => a.place - b.place).map(({ id }) => id);
  for (const { state, body } of commands) {
    if (state === 'parked') continue;
    if (isMove(body)) {
      ids = moved(ids, body.cryptoId, body.beforeId);
      continue;
    }
    const watched = ids.includes(body.cryptoId);
    if (body.actionType === WATCH.add && !watched) ids = [body.cryptoId, ...ids];
    if (body.actionType === WATCH.remove && watched) ids = ids.filter((id) => id !== body.cryptoId);
  }
  return { ids, savedAt: answered?.savedAt, sentAt: sent?.savedAt, commands };
}

/** Stores the server's answer to one change. Call it in a transaction over `watchlist` and `stamps`. */
export async function storeHeart(db: UserTables, id: number, watched: boolean, now: number): Promise<void> {
  await db.stamps.put({ key: SENT, savedAt: now });
  if (!watched) return db.watchlist.delete(id);
  if (await db.watchlist.get(id)) return;
  const places = (await db.watchlist.toArray()).map(({ place }) => place);
  await db.watchlist.add({ id, place: Math.min(1, ...places) - 1 });
}

/**
 * Stores the whole watchlist from a request sent at `askedAt`, ms UTC. The answer may miss a change that the server
 * stored in the meantime: then the stored list is newer and stays.
 */
export async function storeHearts(db: UserTables, ids: readonly number[], askedAt: number): Promise<void> {
  if (isOutdated(askedAt, await db.stamps.get(SENT))) return;
  const places = new Map(ids.map((id, place) => [id, place]));
  const rows = await db.watchlist.toArray();
  await db.watchlist.bulkDelete(rows.flatMap(({ id }) => (places.has(id) ? [] : id)));
  const known = new Map(rows.map(({ id, place }) => [id, place]));
  await db.watchlist.bulkPut([...places].flatMap(([id, place]) => (known.get(id) === place ? [] : { id, place })));
}
