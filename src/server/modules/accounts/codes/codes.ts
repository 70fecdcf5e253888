import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { codes } from '#server/db/schema/codes.ts';
import { blockOf, countWrongTry, lockGuard, type Purpose } from './code-guards.ts';

/** Validity of a mailed code, ms. The app shows a 180-second timer. */
export const CODE_LIFE = 3 * MINUTE;
const TRIES_A_CODE = 5;

/** 'locked': too many tries of this code. 'used-up': this was the day's last try. 'blocked': no tries left today. 'link-only': no */
/** reset tries left today. */
export type CodeRefusal = 'wrong' | 'expired' | 'locked' | 'used-up' | 'blocked' | 'link-only';

/** Identifies the codes to check, and the guard that counts wrong tries. */
export interface Asked {
  /** A user's id, or a fake one for an address without an account. */
  guard: string;
  purpose: Purpose;
}

/**
 * Four-digit codes. Each belongs to a registration, a user, or a guard, whose codes are never mailed: they make guessing
 * look the same for unknown addresses. Every call except `wasUsed` locks the guard's row.
 */
export interface Codes {
  /** Locks an address's codes and registrations until the transaction ends. */
  lock(tx: Tx, guard: string): Promise<void>;
  /** Replaces the holder's code by a new one, different from those of `others`. Returns null while the guard is blocked. */
  issue(tx: Tx, asked: Asked, holder: string, others?: readonly string[]): Promise<string | null>;
  /** Stores a code that no guess matches, where none is mailed. */
  issueDecoy(tx: Tx, asked: Asked): Promise<void>;
  /** Returns the holder that the code belongs to and uses it up. A wrong try counts for the guard and each holder's code. */
  check(tx: Tx, asked: Asked, holders: readonly string[], code: string): Promise<{ right: string } | { refusal: CodeRefusal }>;
  /** Returns whether the holder used this code a moment ago. Counts nothing. */
  wasUsed(tx: Tx, purpose: Purpose, holder: string, code: string): Promise<boolean>;
}

export function createCodes(options: { clock: Clock; secretsKey: string }): Codes {
  const { clock } = options;
  // Keyed, because 10,000 codes are quickly hashed.
  const hashOf = (holder: string, purpose: Purpose, code: string) =>
    createHmac('sha256', options.secretsKey).update(`${purpose} code ${holder} ${code}`).digest('base64url');
  const isEqual = (row: CodeRow, code: string) =>
    timingSafeEqual(Buffer.from(row.codeHash), Buffer.from(hashOf(row.userId, row.purpose as Purpose, code)));

  async function store(tx: Tx, purpose: Purpose, holder: string, code: string): Promise<void> {
    const now = clock();
    const row = {
      codeHash: hashOf(holder, purpose, code),
      wrongTries: 0,
      usedAt: null,
      expiresAt: new Date(now + CODE_LIFE),
      createdAt: new Date(now),
    };
    await tx
      .insert(codes)
      .values({ userId: holder, purpose, ...row })
      .onConflictDoUpdate({ target: [codes.userId, codes.purpose], set: row });
  }

  return {
    lock: async (tx, guard) => void (await lockGuard(tx, clock, guard)),

    async issue(tx, asked, holder, others = []) {
      if (blockOf(asked.purpose, await lockGuard(tx, clock, asked.guard))) return null;
      const taken = others.length > 0 ? await findCodes(tx, asked.purpose, others) : [];
      let code: string;
      do code = String(randomInt(10_000)).padStart(4, '0');
      while (taken.some((row) => isEqual(row, code)));
      await store(tx, asked.purpose, holder, code);
      return code;
    },

    async issueDecoy(tx, asked) {
      if (blockOf(asked.purpose, await lockGuard(tx, clock, asked.guard))) return;
      await store(tx, asked.purpose, asked.guard, randomBytes(16).toString('hex'));
    },

    async check(tx, asked, holders, code) {
      const { guard, purpose } = asked;
      const tries = await lockGuard(tx, clock, guard);
      const block = blockOf(purpose, tries);
      if (block) return { refusal: block };
      const now = clock();
      const mailed = await findCodes(tx, purpose, holders.length > 0 ? holders : [guard]);
      const live = mailed.filter(({ usedAt, expiresAt }) => !usedAt && expiresAt.getTime() > now);
      if (live.length === 0) return { refusal: 'expired' };
      const open = live.filter((row) => row.wrongTries < TRIES_A_CODE);
      if (open.length === 0) return { refusal: 'locked' };
      const right = open.find((row) => isEqual(row, code));
      if (right) {
        await updateCode(tx, right, { usedAt: new Date(now) });
        return { right: right.userId };
      }
      const triesNow = await countWrongTry(tx, clock, guard, purpose, tries);
      for (const row of open) await updateCode(tx, row, { wrongTries: row.wrongTries + 1 });
      const after = blockOf(purpose, triesNow);
      if (after) return { refusal: after === 'blocked' ? 'used-up' : after };
      return { refusal: open.every((row) => row.wrongTries + 1 >= TRIES_A_CODE) ? 'locked' : 'wrong' };
    },

    async wasUsed(tx, purpose, holder, code) {
      const [row] = await findCodes(tx, purpose, [holder]);
      return row !== undefined && row.usedAt !== null && row.expiresAt.getTime() > clock() && isEqual(row, code);
    },
  };
}

type CodeRow = typeof codes.$inferSelect;

const findCodes = (tx: Tx, purpose: Purpose, holders: readonly string[]): Promise<CodeRow[]> =>
  tx
    .select()
    .from(codes)
    .where(and(inArray(codes.userId, [...holders]), eq(codes.purpose, purpose)));

async function updateCode(tx: Tx, { userId, purpose }: CodeRow, change: Partial<Pick<CodeRow, 'usedAt' | 'wrongTries'>>): Promise<void> {
  await tx
    .update(codes)
    .set(change)
    .where(and(eq(codes.userId, userId), eq(codes.purpose, purpose)));
}
