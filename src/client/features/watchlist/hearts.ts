import type { UserDb } from '#client/platform/db/user-db.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { WATCH } from '#contract/market/choices.ts';
import type { WatchBody } from '#contract/market/watchlist.ts';
import type { Clock } from '#domain/clock.ts';
import { HEARTS, heartCommands } from './heart-commands.ts';

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
  db: UserDb,
  userId: string,
  { id: cryptoId, symbol: cryptoSymbol, name: cryptoName }: HeartCoin,
  watched: boolean,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Options = {},
): Promise<void> {
  const body: WatchBody = { userId, cryptoId, cryptoSymbol, cryptoName, actionType: watched ? WATCH.add : WATCH.remove };
  await db.transaction('rw', db.outbox, async () => {
    await discardRefused(db, cryptoId);
    await enqueue(db, { id: newId(), lane: HEARTS, body, createdAt: clock() });
  });
}

/** Discards refused changes of a coin, so that it shows the server's state again. */
export async function discardRefused(db: UserDb, cryptoId: number): Promise<void> {
  const refused = (await heartCommands(db)).filter(({ state, body }) => state === 'parked' && body.cryptoId === cryptoId);
  await db.outbox.bulkDelete(refused.flatMap(({ seq }) => seq ?? []));
}

/** Describes a refused change. The server's reason follows it. */
export const refusedHeartMessage = ({ cryptoName, actionType }: WatchBody): string =>
  actionType === WATCH.add ? `${cryptoName} was not added to the watchlist.` : `${cryptoName} was not removed from the watchlist.`;
