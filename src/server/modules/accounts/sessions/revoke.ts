import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { MAX_SESSIONS } from '#contract/account/sessions.ts';
import type { Tx } from '#server/db/open.ts';
import { destinations } from '#server/db/schema/deliveries.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import { lastUse } from './last-use.ts';

/** Ends the matching open sessions and returns their ids. */
export async function revokeSessions(tx: Tx, now: Date, matching: SQL | undefined): Promise<string[]> {
  const open = await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(isNull(sessions.revokedAt), matching))
    .returning({ id: sessions.id, userId: sessions.userId });
  const ids = open.map(({ id }) => id);
  if (ids.length > 0) {
    await tx.delete(refreshTokens).where(inArray(refreshTokens.sessionId, ids));
    const owners = [...new Set(open.map(({ userId }) => userId))];
    // A browser that signs out gets no push messages any more.
    await tx
      .delete(destinations)
      .where(
        and(inArray(destinations.userId, owners), eq(destinations.channel, 'push'), inArray(sql`${destinations.details}->>'session'`, ids)),
      );
  }
  return ids;
}

/** Ends the user's least recently used sessions, so that one more fits. Returns their ids. */
export async function revokeOldest(tx: Tx, now: Date, userId: string): Promise<string[]> {
  const oldest = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
    .orderBy(desc(lastUse), sessions.id)
    .offset(MAX_SESSIONS - 1);
  const ids = oldest.map(({ id }) => id);
  return ids.length > 0 ? revokeSessions(tx, now, inArray(sessions.id, ids)) : [];
}

/** Ends a session by the hash of a valid refresh token. Returns its user, or undefined for other hashes. */
export async function revokeByHash(tx: Tx, now: Date, sessionId: string, tokenHash: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ userId: sessions.userId })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .where(and(eq(refreshTokens.tokenHash, tokenHash), eq(sessions.id, sessionId)));
  if (found) await revokeSessions(tx, now, eq(sessions.id, sessionId));
  return found?.userId;
}
