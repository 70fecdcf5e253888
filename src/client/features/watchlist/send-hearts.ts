import { call } from '#client/platform/api/call.ts';
import type { HttpLane } from '#client/platform/outbox/http-lanes.ts';
import { type WatchBody, watchAnswer } from '#contract/market/watchlist.ts';
import { HEARTS } from './heart-commands.ts';
import { storeHeart } from './watched.ts';

/** Sends hearts. The answer is stored before the command goes, so that the heart never flickers between the two. */
export const heartsLane: HttpLane<WatchBody> = {
  name: HEARTS,
  async send(db, { id, body }) {
    const { data } = await call('/watchlist', { method: 'POST', body, key: id, answer: watchAnswer });
    await db.transaction('rw', db.watchlist, db.stamps, () => storeHeart(db, data.cryptoId, data.isWatchListed, Date.now()));
  },
};
