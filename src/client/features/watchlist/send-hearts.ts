import { call } from '#client/platform/api/call.ts';
import type { HttpLane } from '#client/platform/outbox/http-lanes.ts';
import { type WatchBody, watchAnswer } from '#contract/market/watchlist.ts';
import { HEARTS } from './heart-commands.ts';
import { storeHeart } from './watched.ts';

/** Sends watchlist changes. Stores the answer before the command is removed, so that the heart never flickers. */
export const heartsLane: HttpLane<WatchBody> = {
  name: HEARTS,
  async send(db, { id, body }) {
    const { data } = await call('/watchlist', { method: 'POST', body, key: id, answer: watchAnswer });
    await db.transaction('rw', db.watchlist, db.stamps, () => storeHeart(db, data.cryptoId, data.isWatchListed, Date.now()));
  },
};
