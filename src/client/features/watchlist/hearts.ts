import type { UserDb } from '#client/platform/db/user-db.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { WATCH, type WatchBody } from '#contract/market/watchlist.ts';
import type { Clock } from '#domain/clock.ts';
import { HEARTS, heartCommands } from './heart-commands.ts';

/** What a heart names of a coin: as the user saw it. */
export interface HeartCoin {
  id: number;
  symbol: string;
  name: string;
}

interface Means {
  newId?: () => string;
  clock?: Clock;
}

/** Writes down that the coin shall be in the watchlist, or shall not. What was refused of it before is forgotten. */
export async function setHeart(
  db: UserDb,
  userId: string,
  { id: cryptoId, symbol: cryptoSymbol, name: cryptoName }: HeartCoin,
  watched: boolean,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Means = {},
): Promise<void> {
  const body: WatchBody = { userId, cryptoId, cryptoSymbol, cryptoName, actionType: watched ? WATCH.add : WATCH.remove };
  await db.transaction('rw', db.outbox, async () => {
    await discardRefused(db, cryptoId);
    await enqueue(db, { id: newId(), lane: HEARTS, body, createdAt: clock() });
  });
}

/** Forgets refused hearts of a coin: what the server says counts again. */
export async function discardRefused(db: UserDb, cryptoId: number): Promise<void> {
  const refused = (await heartCommands(db)).filter(({ state, body }) => state === 'parked' && body.cryptoId === cryptoId);
  await db.outbox.bulkDelete(refused.flatMap(({ seq }) => seq ?? []));
}

/** What did not happen, in words; the server's reason follows. */
export const refusedHeartMessage = ({ cryptoName, actionType }: WatchBody): string =>
  actionType === WATCH.add ? `${cryptoName} was not added to the watchlist.` : `${cryptoName} was not removed from the watchlist.`;
