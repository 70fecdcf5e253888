import { randomBytes } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNotNull, ne } from 'drizzle-orm';
import { API_PREFIX } from '#contract/paths.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { mailedLinks } from '#server/db/schema/codes.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';
import type { Purpose } from './code-guards.ts';

const LINK_LIFE = DAY;
/** Valid links per owner. Each mail has its own, so that a stranger's request does not invalidate an earlier mail. */
const MAX_LINKS = 10;

/** Paths of mailed links, below API_PREFIX. */
export const LINK_PATHS = { 'verify-email': '/auth/verify-link', 'reset-password': '/auth/reset-link' } as const;

const OWNERS = { 'verify-email': mailedLinks.registrationId, 'reset-password': mailedLinks.userId } as const;

/** Mailed links with a 256-bit token. The owner is a registration to verify, or a user who sets a new password. */
export interface Links {
  /** Returns the URL of a new link. */
  issue(tx: Tx, purpose: Purpose, ownerId: string): Promise<string>;
  /** Returns the owner of a token; null when it is unknown, used or expired. */
  ownerOf(tx: Tx, purpose: Purpose, token: string): Promise<string | null>;
  /** Deletes all links of a user. A registration's links are deleted with it. */
  spendAll(tx: Tx, userId: string): Promise<void>;
}

export function createLinks({ clock, publicUrl }: { clock: Clock; publicUrl: string }): Links {
  return {
    async issue(tx, purpose, ownerId) {
      const token = randomBytes(32).toString('base64url');
      const tokenHash = hashOf(token);
      await tx.insert(mailedLinks).values({
        tokenHash,
        ...(purpose === 'reset-password' ? { userId: ownerId } : { registrationId: ownerId }),
        expiresAt: new Date(clock() + LINK_LIFE),
      });
      const tooMany = tx
        .select({ tokenHash: mailedLinks.tokenHash })
        .from(mailedLinks)
        .where(and(eq(OWNERS[purpose], ownerId), ne(mailedLinks.tokenHash, tokenHash)))
        .orderBy(desc(mailedLinks.expiresAt), mailedLinks.tokenHash)
        .offset(MAX_LINKS - 1);
      await tx.delete(mailedLinks).where(inArray(mailedLinks.tokenHash, tooMany));
      return `${publicUrl}${API_PREFIX}${LINK_PATHS[purpose]}/${token}`;
    },

    async ownerOf(tx, purpose, token) {
      const owner = OWNERS[purpose];
      const [link] = await tx
        .select({ id: owner })
        .from(mailedLinks)
        .where(and(eq(mailedLinks.tokenHash, hashOf(token)), isNotNull(owner), gt(mailedLinks.expiresAt, new Date(clock()))));
      return link?.id ?? null;
    },

    async spendAll(tx, userId) {
      await tx.delete(mailedLinks).where(eq(mailedLinks.userId, userId));
    },
  };
}
