import { call } from '#client/platform/api/call.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { type HttpLane, refusedFor } from '#client/platform/outbox/http-lanes.ts';
import { enqueue, Refused } from '#client/platform/outbox/outbox.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import type { Rating } from '#contract/chat/chat.ts';
import type { Clock } from '#domain/clock.ts';
import { loadOneMessageAnswer } from '../conversation/answer-schemas.ts';
import { storeChanged } from '../conversation/conversation.ts';
import { RATINGS, type RatingBody } from './rating-commands.ts';

interface Options {
  newId?: () => string;
  clock?: Clock;
}

/** Rates an answer, or removes the rating with null. Shows at once and is queued; a newer rating replaces a queued one. */
export async function rateAnswer(
  db: UserDb,
  messageId: string,
  rating: Rating | null,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Options = {},
): Promise<void> {
  const isEarlier = ({ body }: Command) => (body as RatingBody).messageId === messageId;
  await transact(db, [db.outbox], async (db) => {
    await db.outbox.where('lane').equals(RATINGS).filter(isEarlier).delete();
    await enqueue<RatingBody>(db, { id: newId(), lane: RATINGS, body: { messageId, rating }, createdAt: clock() });
  });
  sendSoon(RATINGS);
}

/** Sends ratings. A refused rating is dropped, because its message was deleted. */
export const ratingsLane: HttpLane<RatingBody> = {
  name: RATINGS,
  async send(db, { id, body: { messageId, rating } }) {
    try {
      const path = `/chat/${encodeURIComponent(messageId)}/rating`;
      const { data } = await call(path, { method: 'PUT', body: { rating }, key: id, answer: loadOneMessageAnswer });
      await transact(db, [db.archives, db.messages, db.outbox], (db) => storeChanged(db, data));
    } catch (error) {
      if (!(refusedFor(error) instanceof Refused)) throw error;
    }
  },
};
