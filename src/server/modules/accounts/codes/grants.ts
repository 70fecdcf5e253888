import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { codes } from '#server/db/schema/codes.ts';

const GRANT_LIFE = 10 * MINUTE;

/** A right code is traded for a grant, so that four digits need not live for as long as a person takes to think of a password. */
export interface Grants {
  /** A fresh grant in place of the one before. */
  issue(tx: Tx, userId: string): Promise<string>;
  /** True once for a grant that is the holder's and not too old. The code it was traded for goes with it. */
  spend(tx: Tx, holder: string, grant: string): Promise<boolean>;
  /** Ends whatever of codes and grants could still set this user's password. */
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

/** 32 random bytes need no slow hash. */
const hashOf = (grant: string) => createHash('sha256').update(grant).digest('base64url');
