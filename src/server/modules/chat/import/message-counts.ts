import { eq } from 'drizzle-orm';
import { MAX_MESSAGES_TO_IMPORT } from '#contract/chat/import-chats.ts';
import type { Tx } from '#server/db/open.ts';
import { chats } from '#server/db/schema/chat.ts';
import { createRecentMap } from '#server/recent-map.ts';

/** Users whose count is kept. */
const MAX_USERS = 1000;
/** Requests that one count serves, 200 messages each. Meanwhile, other processes can add as much. */
const MAX_USES = 25;
/** So close to the limit, each request counts. */
const NEAR = 10_000;

/** Keeps how many messages users have while they import, because a count reads an entry of an index for each message. */
export function createMessageCounts() {
  const known = createRecentMap<string, { count: number; uses: number }>(MAX_USERS);
  return {
    async of(tx: Tx, userId: string): Promise<number> {
      const last = known.get(userId);
      if (last && last.uses < MAX_USES && last.count < MAX_MESSAGES_TO_IMPORT - NEAR) {
        last.uses += 1;
        return last.count;
      }
      const count = await tx.$count(chats, eq(chats.userId, userId));
      known.set(userId, { count, uses: 1 });
      return count;
    },
    /** Call it after the commit. */
    add(userId: string, messages: number): void {
      const last = known.get(userId);
      if (last) last.count += messages;
    },
  };
}
