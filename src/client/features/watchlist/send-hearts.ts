import { type WatchBody, watchAnswer } from '../../../contract/watchlist';
import { call } from '../../platform/api/call';
import type { HttpLane } from '../../platform/outbox/http-lanes';
import { HEARTS } from './heart-commands';
import { storeHeart } from './watched';

/** Sends hearts. The answer is stored before the command goes, so that the heart never flickers between the two. */
export const heartsLane: HttpLane<WatchBody> = {
  name: HEARTS,
  async send(db, { id, body }) {
    const { data } = await call('/watchlist', { method: 'POST', body, key: id, answer: watchAnswer });
    await db.transaction('rw', db.watchlist, db.stamps, () => storeHeart(db, data.cryptoId, data.isWatchListed, Date.now()));
  },
};
