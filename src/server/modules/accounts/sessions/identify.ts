import { and, eq, isNull } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import type { Identity } from '#server/http/authenticate.ts';
import { unauthorized } from '#server/http/errors.ts';
import { markSeen } from './last-use.ts';
import type { TokenIssuer } from './tokens.ts';

/** Returns the user and the open session of an access token. Throws 401 when there is none. */
export async function identify(
  { db, clock, tokens }: { db: Db; clock: Clock; tokens: TokenIssuer },
  accessToken: string,
): Promise<Identity> {
  const claims = await tokens.readClaims(accessToken);
  const [session] = await db
    .select({ lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.id, claims.sid), eq(sessions.userId, claims.sub), isNull(sessions.revokedAt)));
  if (!session) throw unauthorized();
  await markSeen(db, clock, claims.sid, session.lastSeenAt);
  return { userId: claims.sub, sessionId: claims.sid, expiresAt: claims.exp * 1000 };
}
