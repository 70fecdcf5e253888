import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import type { Rating } from '#contract/chat/chat.ts';

/** Outbox lane of ratings. */
export const RATINGS = 'ratings';

export interface RatingBody {
  messageId: string;
  /** Null removes the rating. */
  rating: Rating | null;
}

/** Returns queued ratings by message id. */
export async function unsentRatings(db: UserDb): Promise<Map<string, Rating | null>> {
  const commands = (await db.outbox.where('lane').equals(RATINGS).toArray()) as Command<RatingBody>[];
  return new Map(commands.map(({ body }) => [body.messageId, body.rating]));
}
