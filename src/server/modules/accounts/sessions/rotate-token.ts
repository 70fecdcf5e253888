import { and, eq, ne } from 'drizzle-orm';
import type { Tokens } from '#contract/account/tokens.ts';
import type { Clock } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import { users } from '#server/db/schema/users.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';
import { markSeen } from './last-use.ts';
import { revokeSessions } from './revoke.ts';
import type { TokenIssuer } from './tokens.ts';

/** New tokens, or why there are none. `reusedOf`: the user whose rotated token was used again, which ended the session. */
type Rotation = Tokens | 'unknown' | 'ended' | { reusedOf: string };

interface Parts {
  clock: Clock;
  tokens: TokenIssuer;
}

/** Exchanges a refresh token of the session for new tokens. */
export async function rotateToken(tx: Tx, { clock, tokens }: Parts, sessionId: string, refreshToken: string): Promise<Rotation> {
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for('no key update');
  if (!session) return 'unknown';
  if (session.revokedAt) return 'ended';
  const tokenHash = hashOf(refreshToken);
  const [token] = await tx.select().from(refreshTokens).where(eq(refreshTokens.tokenHash, tokenHash));
  if (!token) {
    await revokeSessions(tx, new Date(clock()), eq(sessions.id, sessionId));
    return { reusedOf: session.userId };
  }
  if (token.expiresAt.getTime() <= clock()) return 'unknown';
  await markSeen(tx, clock, sessionId, session.lastSeenAt);
  if (!token.usedAt) {
    // The first use proves that the client received the token, so its predecessor and siblings can be deleted.
    await tx.delete(refreshTokens).where(and(eq(refreshTokens.sessionId, sessionId), ne(refreshTokens.tokenHash, tokenHash)));
    await tx
      .update(refreshTokens)
      .set({ usedAt: new Date(clock()) })
      .where(eq(refreshTokens.tokenHash, tokenHash));
  }
  const [user] = await tx.select().from(users).where(eq(users.id, session.userId));
  return user ? tokens.issue(tx, sessionId, user) : 'unknown';
}
