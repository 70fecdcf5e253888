import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { WATCH } from '#contract/market/choices.ts';
import type { WatchBody } from '#contract/market/watchlist.ts';
import type { Clock } from '#domain/clock.ts';
import { HEARTS, heartCommands, isMove, type MoveChange, type WatchChange } from './heart-commands.ts';

/** The coin of a heart, named as the user saw it. */
export interface HeartCoin {
  id: number;
  symbol: string;
  name: string;
}

interface Options {
  newId?: () => string;
  clock?: Clock;
}

/** Queues adding the coin to the watchlist, or removing it. Discards refused changes of the same coin. */
export async function setHeart(
  db: UserTables,
  userId: string,
  { id: cryptoId, symbol: cryptoSymbol, name: cryptoName }: HeartCoin,
  watched: boolean,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Options = {},
): Promise<void> {
  const body: WatchBody = { userId, cryptoId, cryptoSymbol, cryptoName, actionType: watched ? WATCH.add : WATCH.remove };
  await transact(db, [db.outbox], async (db) => {
    await discardRefused(db, cryptoId);
    await enqueue(db, { id: newId(), lane: HEARTS, body, createdAt: clock() });
  });
}

/** Queues moving a coin before another one of the watchlist, or to the end. */
export async function moveHeart(
  db: UserTables,
  userId: string,
  { id: cryptoId, name: cryptoName }: Pick<HeartCoin, 'id' | 'name'>,
  beforeId: number | null,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Options = {},
): Promise<void> {
  const body: MoveChange = { userId, cryptoId, cryptoName, beforeId };
  await enqueue(db, { id: newId(), lane: HEARTS, body, createdAt: clock() });
}

/** Queues adding a removed coin again, at its place: before the first of the coins that followed it. */
export async function restoreHeart(db: UserTables, userId: string, coin: HeartCoin, followers: readonly number[]): Promise<void> {
  await transact(db, [db.outbox], async (db) => {
    await setHeart(db, userId, coin, true);
    await moveHeart(db, userId, coin, followers[0] ?? null);
  });
}

/** Queues adding coins, so that the first one ends on top. */
export async function addHearts(db: UserDb, userId: string, coins: readonly HeartCoin[]): Promise<void> {
  await transact(db, [db.outbox], async (db) => {
    for (const coin of [...coins].reverse()) await setHeart(db, userId, coin, true);
  });
}

/** Discards refused changes of a coin, so that it shows the server's state again. */
export async function discardRefused(db: UserTables, cryptoId: number): Promise<void> {
  const refused = (await heartCommands(db)).filter(({ state, body }) => state === 'parked' && body.cryptoId === cryptoId);
  await db.outbox.bulkDelete(refused.flatMap(({ seq }) => seq ?? []));
}

/** Describes a refused change. The server's reason follows it. */
export function refusedHeartMessage(change: WatchChange): string {
  if (isMove(change)) return `${change.cryptoName} was not moved in the watchlist.`;
  const { cryptoName, actionType } = change;
  return actionType === WATCH.add ? `${cryptoName} was not added to the watchlist.` : `${cryptoName} was not removed from the watchlist.`;
}
