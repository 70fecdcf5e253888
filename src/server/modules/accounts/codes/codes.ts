import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { type Clock, DAY, MINUTE } from '../../../../domain/clock';
import type { Tx } from '../../../db/open';
import { codeGuards, codes } from '../../../db/schema';

/** Ms that a mailed code is good for (spec §9: a 180-second timer). */
export const CODE_LIFE = 3 * MINUTE;
const LINK_LIFE = DAY;
const TRIES_A_CODE = 5;
const TRIES_A_DAY = 20;

/** What a code or a link is for; one is never good for the other. */
export type Purpose = 'verify-email' | 'reset-password';
export type CodeResult = 'right' | 'wrong' | 'expired' | 'locked' | 'used-up' | 'blocked';

/**
 * Four-digit codes and, once a holder's wrong tries of a day are used up, links. A holder is a user, or nobody: an address
 * without an account has codes that are never mailed, so that guessing at it looks the same. Callers lock the user's row first.
 */
export interface Codes {
  /** A fresh code in place of the one before, or null while the holder is blocked. */
  issue(tx: Tx, holder: string, purpose: Purpose): Promise<string | null>;
  /** The same with a code that no guess is right for, where none is mailed. */
  issueDecoy(tx: Tx, holder: string, purpose: Purpose): Promise<void>;
  /** Counts a wrong try. 'locked': this code is spent. 'used-up': this try was the day's last; 'blocked': there was none left. */
  check(tx: Tx, holder: string, purpose: Purpose, code: string): Promise<CodeResult>;
  /** A fresh link token in place of the one before. */
  issueLink(tx: Tx, holder: string, purpose: Purpose): Promise<string>;
  /** The user whom a link token belongs to. The token stays good, so that a click whose answer got lost can be repeated. */
  userOfLink(tx: Tx, purpose: Purpose, token: string): Promise<string | null>;
  /** Makes the user's last link void. */
  spendLink(tx: Tx, userId: string): Promise<void>;
}

export function createCodes(options: { clock: Clock; secretsKey: string }): Codes {
  const { clock } = options;
  // There are only 10,000 codes: without the server's key their hashes would be no secret.
  const hashOf = (text: string) => createHmac('sha256', options.secretsKey).update(text).digest('base64url');
  const codeHash = (holder: string, purpose: Purpose, code: string) => hashOf(`${purpose} code ${holder} ${code}`);
  const linkHash = (purpose: Purpose, token: string) => hashOf(`${purpose} link ${token}`);
  const today = () => new Date(clock()).toISOString().slice(0, 10);
  const last = (holder: string, purpose: Purpose) => and(eq(codes.userId, holder), eq(codes.purpose, purpose));

  async function wrongToday(tx: Tx, holder: string): Promise<number> {
    const [guard] = await tx.select().from(codeGuards).where(eq(codeGuards.userId, holder));
    return guard?.day === today() ? guard.wrongTries : 0;
  }

  async function setGuard(tx: Tx, holder: string, change: Partial<typeof codeGuards.$inferInsert>): Promise<void> {
    const row = { day: today(), wrongTries: await wrongToday(tx, holder), ...change };
    await tx
      .insert(codeGuards)
      .values({ userId: holder, ...row })
      .onConflictDoUpdate({ target: codeGuards.userId, set: row });
  }

  /** False while the holder is blocked. */
  async function store(tx: Tx, holder: string, purpose: Purpose, code: string): Promise<boolean> {
    if ((await wrongToday(tx, holder)) >= TRIES_A_DAY) return false;
    const now = clock();
    const row = {
      codeHash: codeHash(holder, purpose, code),
      wrongTries: 0,
      expiresAt: new Date(now + CODE_LIFE),
      createdAt: new Date(now),
    };
    await tx
      .insert(codes)
      .values({ userId: holder, purpose, ...row })
      .onConflictDoUpdate({ target: [codes.userId, codes.purpose], set: row });
    return true;
  }

  return {
    async issue(tx, holder, purpose) {
      const code = String(randomInt(10_000)).padStart(4, '0');
      return (await store(tx, holder, purpose, code)) ? code : null;
    },

    async issueDecoy(tx, holder, purpose) {
      await store(tx, holder, purpose, randomBytes(16).toString('hex'));
    },

    async check(tx, holder, purpose, code) {
      const tries = await wrongToday(tx, holder);
      if (tries >= TRIES_A_DAY) return 'blocked';
      const [current] = await tx.select().from(codes).where(last(holder, purpose));
      if (!current || current.expiresAt.getTime() <= clock()) return 'expired';
      if (current.wrongTries >= TRIES_A_CODE) return 'locked';
      if (equal(current.codeHash, codeHash(holder, purpose, code))) return 'right';
      await setGuard(tx, holder, { wrongTries: tries + 1 });
      await tx
        .update(codes)
        .set({ wrongTries: current.wrongTries + 1 })
        .where(last(holder, purpose));
      if (tries + 1 >= TRIES_A_DAY) return 'used-up';
      return current.wrongTries + 1 >= TRIES_A_CODE ? 'locked' : 'wrong';
    },

    async issueLink(tx, holder, purpose) {
      const token = randomBytes(32).toString('base64url');
      await setGuard(tx, holder, { linkHash: linkHash(purpose, token), linkExpiresAt: new Date(clock() + LINK_LIFE) });
      return token;
    },

    async userOfLink(tx, purpose, token) {
      const [guard] = await tx
        .select()
        .from(codeGuards)
        .where(eq(codeGuards.linkHash, linkHash(purpose, token)));
      return guard?.linkExpiresAt && guard.linkExpiresAt.getTime() > clock() ? guard.userId : null;
    },

    async spendLink(tx, userId) {
      await tx.update(codeGuards).set({ linkHash: null, linkExpiresAt: null }).where(eq(codeGuards.userId, userId));
    },
  };
}

const equal = (left: string, right: string) => timingSafeEqual(Buffer.from(left), Buffer.from(right));
