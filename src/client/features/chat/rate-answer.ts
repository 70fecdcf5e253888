import { chatAnswer, type Rating } from '../../../contract/chat';
import type { Clock } from '../../../domain/clock';
import { call } from '../../platform/api/call';
import type { UserDb } from '../../platform/db/user-db';
import type { Command } from '../../platform/outbox/command';
import { type HttpLane, refusedFor } from '../../platform/outbox/http-lanes';
import { enqueue, Refused } from '../../platform/outbox/outbox';
import { sendSoon } from '../../platform/outbox/start-lanes';
import { storeChats } from './conversation';
import { RATINGS, type RatingBody } from './rating-commands';

interface Means {
  newId?: () => string;
  clock?: Clock;
}

/** Says what an answer is worth, or takes that back. Shown at once, sent when that can be; only the last word is sent. */
export async function rateAnswer(
  db: UserDb,
  messageId: string,
  rating: Rating | null,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Means = {},
): Promise<void> {
  const isEarlier = ({ body }: Command) => (body as RatingBody).messageId === messageId;
  await db.transaction('rw', db.outbox, async () => {
    await db.outbox.where('lane').equals(RATINGS).filter(isEarlier).delete();
    await enqueue<RatingBody>(db, { id: newId(), lane: RATINGS, body: { messageId, rating }, createdAt: clock() });
  });
  sendSoon(RATINGS);
}

/** Sends ratings. One that the server will not have is dropped: its message is gone, and nobody waits for it. */
export const ratingsLane: HttpLane<RatingBody> = {
  name: RATINGS,
  async send(db, { id, body: { messageId, rating } }) {
    try {
      const path = `/chat/${encodeURIComponent(messageId)}/rating`;
      const { data } = await call(path, { method: 'PUT', body: { rating }, key: id, answer: chatAnswer });
      await db.transaction('rw', db.messages, db.outbox, () => storeChats(db, [data]));
    } catch (error) {
      if (!(refusedFor(error) instanceof Refused)) throw error;
    }
  },
};
