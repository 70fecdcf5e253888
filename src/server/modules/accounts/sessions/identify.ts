import { and, eq, isNull } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import type { Identity } from '#server/http/authenticate.ts';
import { unauthorized } from '#server/http/errors.ts';
import { markSeen } from './last-use.ts';
import type { TokenIssuer } from './tokens.ts';

/**
 * Returns the user and the open session of an access token. Throws 401 when there is none.
 * @param verified what was read from this token before
 */
export async function identify(
  parts: { db: Db; clock: Clock; tokens: TokenIssuer },
  accessToken: string,
  verified?: Identity,
): Promise<Identity> {
  const { db, clock, tokens } = parts;
  const identity = verified ?? identityOf(await tokens.readClaims(accessToken));
  const { userId, sessionId } = identity;
  const [session] = await db
    .select({ lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isNull(sessions.revokedAt)));
  if (!session) throw unauthorized();
  await markSeen(db, clock, sessionId, session.lastSeenAt);
  return identity;
}

const identityOf = ({ sub, sid, exp }: Awaited<ReturnType<TokenIssuer['readClaims']>>): Identity => ({
  userId: sub,
  sessionId: sid,
  expiresAt: exp * 1000,
});
