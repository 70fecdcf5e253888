import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import type { Rating } from '#contract/chat/chat.ts';

/** The lane of ratings. */
export const RATINGS = 'ratings';

export interface RatingBody {
  messageId: string;
  /** Null takes it back. */
  rating: Rating | null;
}

/** What the server has yet to hear of how answers were rated, by message. */
export async function unsentRatings(db: UserDb): Promise<Map<string, Rating | null>> {
  const commands = (await db.outbox.where('lane').equals(RATINGS).toArray()) as Command<RatingBody>[];
  return new Map(commands.map(({ body }) => [body.messageId, body.rating]));
}
