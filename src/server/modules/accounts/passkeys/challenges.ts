import { randomBytes } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { passkeyChallenges } from '#server/db/schema/passkeys.ts';
import type { Identity } from '#server/http/authenticate.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';

/** Time for which a challenge can be answered, ms. Also the timeout of the browser's dialog. */
export const CHALLENGE_LIFE = 5 * MINUTE;
/** Expired challenges that each new one deletes: more than one, so that the table stays small between cleanups. */
const DELETED_AT_ONCE = 10;

export type Purpose = 'sign-in' | 'register' | 'confirm';

/** The session that a challenge belongs to. A sign-in has none yet. */
export type Owner = Pick<Identity, 'userId' | 'sessionId'> | undefined;

/** Random values that a passkey signs, each once. */
export interface Challenges {
  /** Stores a new challenge and returns it in base64url. */
  issue(purpose: Purpose, owner?: Owner): Promise<string>;
  /** Returns true once for a valid challenge of this purpose and session. */
  spend(challenge: string, purpose: Purpose, owner?: Owner): Promise<boolean>;
}

export function createChallenges({ db, clock }: { db: Db; clock: Clock }): Challenges {
  return {
    async issue(purpose, owner) {
      const challenge = randomBytes(32).toString('base64url');
      const { challengeHash, expiresAt } = passkeyChallenges;
      const expired = db
        .select({ challengeHash })
        .from(passkeyChallenges)
        .where(lt(expiresAt, new Date(clock())))
        .orderBy(expiresAt)
        .limit(DELETED_AT_ONCE)
        .for('update', { skipLocked: true });
      await db.delete(passkeyChallenges).where(inArray(challengeHash, expired));
      await db.insert(passkeyChallenges).values({
        challengeHash: hashOf(challenge),
        purpose,
        userId: owner?.userId,
        sessionId: owner?.sessionId,
        expiresAt: new Date(clock() + CHALLENGE_LIFE),
      });
      return challenge;
    },

    async spend(challenge, purpose, owner) {
      const { challengeHash, userId, sessionId, expiresAt } = passkeyChallenges;
      const spent = await db
        .delete(passkeyChallenges)
        .where(
          and(
            eq(challengeHash, hashOf(challenge)),
            eq(passkeyChallenges.purpose, purpose),
            owner ? and(eq(userId, owner.userId), eq(sessionId, owner.sessionId)) : isNull(userId),
            gt(expiresAt, new Date(clock())),
          ),
        )
        .returning({ challengeHash });
      return spent.length > 0;
    },
  };
}
