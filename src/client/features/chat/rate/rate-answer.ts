import { call } from '#client/platform/api/call.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { type HttpLane, refusedFor } from '#client/platform/outbox/http-lanes.ts';
import { enqueue, Refused } from '#client/platform/outbox/outbox.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { oneMessageAnswer, type Rating } from '#contract/chat/chat.ts';
import type { Clock } from '#domain/clock.ts';
import { storeMessages } from '../conversation/conversation.ts';
import { RATINGS, type RatingBody } from './rating-commands.ts';

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
      const { data } = await call(path, { method: 'PUT', body: { rating }, key: id, answer: oneMessageAnswer });
      await db.transaction('rw', db.messages, db.outbox, () => storeMessages(db, [data]));
    } catch (error) {
      if (!(refusedFor(error) instanceof Refused)) throw error;
    }
  },
};
