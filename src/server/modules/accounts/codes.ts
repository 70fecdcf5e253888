import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Clock, DAY, MINUTE } from '../../../domain/clock';
import type { Tx } from '../../db/open';
import { codeGuards, codes } from '../../db/schema';

/** Ms that a mailed code is good for (spec §9: a 180-second timer). */
export const CODE_LIFE = 3 * MINUTE;
const LINK_LIFE = DAY;
const TRIES_A_CODE = 5;
const TRIES_A_DAY = 20;

export type CodeResult = 'right' | 'wrong' | 'expired' | 'locked' | 'used-up' | 'blocked';

/** Four-digit codes and, once an account's wrong tries of a day are used up, one-use links. Callers lock the user's row first. */
export interface Codes {
  /** A fresh code in place of the one before, or null while the account is blocked. */
  issue(tx: Tx, userId: string): Promise<string | null>;
  /** Counts a wrong try. 'locked': this code is spent. 'used-up': this try was the day's last; 'blocked': there was none left. */
  check(tx: Tx, userId: string, code: string): Promise<CodeResult>;
  /** A fresh link token in place of the one before. */
  issueLink(tx: Tx, userId: string): Promise<string>;
  /** The user whom a link token belongs to. The token stays good, so that a click whose answer got lost can be repeated. */
  userOfLink(tx: Tx, token: string): Promise<string | null>;
}

export function createCodes(options: { clock: Clock; secretsKey: string }): Codes {
  const { clock } = options;
  // There are only 10,000 codes: without the server's key their hashes would be no secret.
  const hashOf = (text: string) => createHmac('sha256', options.secretsKey).update(text).digest('base64url');
  const codeHash = (userId: string, code: string) => hashOf(`verify-email code ${userId} ${code}`);
  const linkHash = (token: string) => hashOf(`verify-email link ${token}`);
  const today = () => new Date(clock()).toISOString().slice(0, 10);

  async function wrongToday(tx: Tx, userId: string): Promise<number> {
    const [guard] = await tx.select().from(codeGuards).where(eq(codeGuards.userId, userId));
    return guard?.day === today() ? guard.wrongTries : 0;
  }

  async function setGuard(tx: Tx, userId: string, change: Partial<typeof codeGuards.$inferInsert>): Promise<void> {
    const row = { day: today(), wrongTries: await wrongToday(tx, userId), ...change };
    await tx
      .insert(codeGuards)
      .values({ userId, ...row })
      .onConflictDoUpdate({ target: codeGuards.userId, set: row });
  }

  return {
    async issue(tx, userId) {
      if ((await wrongToday(tx, userId)) >= TRIES_A_DAY) return null;
      const code = String(randomInt(10_000)).padStart(4, '0');
      const now = clock();
      const row = { codeHash: codeHash(userId, code), wrongTries: 0, expiresAt: new Date(now + CODE_LIFE), createdAt: new Date(now) };
      await tx
        .insert(codes)
        .values({ userId, purpose: 'verify-email', ...row })
        .onConflictDoUpdate({ target: [codes.userId, codes.purpose], set: row });
      return code;
    },

    async check(tx, userId, code) {
      const tries = await wrongToday(tx, userId);
      if (tries >= TRIES_A_DAY) return 'blocked';
      const [current] = await tx.select().from(codes).where(eq(codes.userId, userId));
      if (!current || current.expiresAt.getTime() <= clock()) return 'expired';
      if (current.wrongTries >= TRIES_A_CODE) return 'locked';
      if (equal(current.codeHash, codeHash(userId, code))) return 'right';
      await setGuard(tx, userId, { wrongTries: tries + 1 });
      await tx
        .update(codes)
        .set({ wrongTries: current.wrongTries + 1 })
        .where(eq(codes.userId, userId));
      if (tries + 1 >= TRIES_A_DAY) return 'used-up';
      return current.wrongTries + 1 >= TRIES_A_CODE ? 'locked' : 'wrong';
    },

    async issueLink(tx, userId) {
      const token = randomBytes(32).toString('base64url');
      await setGuard(tx, userId, { linkHash: linkHash(token), linkExpiresAt: new Date(clock() + LINK_LIFE) });
      return token;
    },

    async userOfLink(tx, token) {
      const [guard] = await tx
        .select()
        .from(codeGuards)
        .where(eq(codeGuards.linkHash, linkHash(token)));
      return guard?.linkExpiresAt && guard.linkExpiresAt.getTime() > clock() ? guard.userId : null;
    },
  };
}

const equal = (left: string, right: string) => timingSafeEqual(Buffer.from(left), Buffer.from(right));
