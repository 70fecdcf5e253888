import { call } from '#client/platform/api/call.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { HttpLane } from '#client/platform/outbox/http-lanes.ts';
import { moveAnswer, watchAnswer } from '#contract/market/watchlist.ts';
import { HEARTS, isMove, type MoveChange, type WatchChange } from './heart-commands.ts';
import { SENT, storeHeart } from './watched.ts';

/** Sends watchlist changes. Stores the answer before the command is removed, so that the heart never flickers. */
export const heartsLane: HttpLane<WatchChange> = {
  name: HEARTS,
  async send(db, { id, body }) {
    if (isMove(body)) return sendMove(db, id, body);
    const { data } = await call('/watchlist', { method: 'POST', body, key: id, answer: watchAnswer });
    await transact(db, [db.watchlist, db.stamps], (db) => storeHeart(db, data.cryptoId, data.isWatchListed, Date.now()));
  },
};

async function sendMove(db: UserDb, key: string, { userId, cryptoId, beforeId }: MoveChange): Promise<void> {
  const body = { cryptoId, beforeId };
  const { data } = await call(`/watchlist/${userId}/order`, { method: 'POST', body, key, answer: moveAnswer });
  await transact(db, [db.watchlist, db.stamps], async (db) => {
    await db.stamps.put({ key: SENT, savedAt: Date.now() });
    // Only the order: the answer to a retry is that of its first time, and coins may have come and gone since.
    const places = new Map(data.ids.map((each, place) => [each, place]));
    await db.watchlist.toCollection().modify((row) => {
      row.place = places.get(row.id) ?? row.place;
    });
  });
}
