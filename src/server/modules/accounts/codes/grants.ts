import { randomBytes } from 'node:crypto';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { codes } from '#server/db/schema/codes.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';

const GRANT_LIFE = 10 * MINUTE;

/** Exchanges a right code for a grant, so that a code can expire while the user chooses a password. */
export interface Grants {
  /** Replaces the user's grant by a new one. */
  issue(tx: Tx, userId: string): Promise<string>;
  /** Returns true once for a valid grant of the holder, and deletes it with its code. */
  spend(tx: Tx, holder: string, grant: string): Promise<boolean>;
  /** Deletes all codes and grants that could set the user's password. */
  drop(tx: Tx, userId: string): Promise<void>;
}

export function createGrants({ clock }: { clock: Clock }): Grants {
  async function drop(tx: Tx, userId: string): Promise<void> {
    await tx.delete(codes).where(and(eq(codes.userId, userId), inArray(codes.purpose, ['reset-grant', 'reset-password'])));
  }

  return {
    drop,

    async issue(tx, userId) {
      const grant = randomBytes(32).toString('base64url');
      const now = clock();
      const row = { codeHash: hashOf(grant), expiresAt: new Date(now + GRANT_LIFE), createdAt: new Date(now) };
      await tx
        .insert(codes)
        .values({ userId, purpose: 'reset-grant', ...row })
        .onConflictDoUpdate({ target: [codes.userId, codes.purpose], set: row });
      return grant;
    },

    async spend(tx, holder, grant) {
      const spent = await tx
        .delete(codes)
        .where(
          and(
            eq(codes.userId, holder),
            eq(codes.purpose, 'reset-grant'),
            eq(codes.codeHash, hashOf(grant)),
            gt(codes.expiresAt, new Date(clock())),
          ),
        )
        .returning({ holder: codes.userId });
      if (spent.length > 0) await drop(tx, holder);
      return spent.length > 0;
    },
  };
}
