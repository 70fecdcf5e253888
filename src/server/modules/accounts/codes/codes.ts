import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { codeGuards, codes } from '#server/db/schema/codes.ts';

/** Validity of a mailed code, ms. The app shows a 180-second timer. */
export const CODE_LIFE = 3 * MINUTE;
const TRIES_A_CODE = 5;
const TRIES_A_DAY = 20;
/** Wrong reset codes a day, over all codes. Stricter, because a reset takes the account over, and its mail also has a link. */
const RESETS_A_DAY = 3;

/** What a code or a link is for. */
export type Purpose = 'verify-email' | 'reset-password';
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
  const today = () => new Date(clock()).toISOString().slice(0, 10);
  const isEqual = (row: CodeRow, code: string) =>
    timingSafeEqual(Buffer.from(row.codeHash), Buffer.from(hashOf(row.userId, row.purpose as Purpose, code)));

  /** Locks the guard's row and returns today's tries. */
  async function lockGuard(tx: Tx, guard: string) {
    const day = today();
    const [row] = await tx
      .insert(codeGuards)
      .values({ userId: guard, day })
      .onConflictDoUpdate({ target: codeGuards.userId, set: { userId: guard } })
      .returning();
    return row?.day === day ? row : { wrongTries: 0, resetTries: 0 };
  }

  function blockOf({ purpose }: Asked, { wrongTries, resetTries }: { wrongTries: number; resetTries: number }): CodeRefusal | null {
    if (wrongTries >= TRIES_A_DAY) return 'blocked';
    return purpose === 'reset-password' && resetTries >= RESETS_A_DAY ? 'link-only' : null;
  }

  const codesOf = (tx: Tx, purpose: Purpose, holders: readonly string[]): Promise<CodeRow[]> =>
    tx
      .select()
      .from(codes)
      .where(and(inArray(codes.userId, [...holders]), eq(codes.purpose, purpose)));

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
    lock: async (tx, guard) => void (await lockGuard(tx, guard)),

    async issue(tx, asked, holder, others = []) {
      if (blockOf(asked, await lockGuard(tx, asked.guard))) return null;
      const taken = others.length > 0 ? await codesOf(tx, asked.purpose, others) : [];
      let code: string;
      do code = String(randomInt(10_000)).padStart(4, '0');
      while (taken.some((row) => isEqual(row, code)));
      await store(tx, asked.purpose, holder, code);
      return code;
    },

    async issueDecoy(tx, asked) {
      if (blockOf(asked, await lockGuard(tx, asked.guard))) return;
      await store(tx, asked.purpose, asked.guard, randomBytes(16).toString('hex'));
    },

    async check(tx, asked, holders, code) {
      const { guard, purpose } = asked;
      const { wrongTries, resetTries } = await lockGuard(tx, guard);
      const block = blockOf(asked, { wrongTries, resetTries });
      if (block) return { refusal: block };
      const now = clock();
      const mailed = await codesOf(tx, purpose, holders.length > 0 ? holders : [guard]);
      const live = mailed.filter(({ usedAt, expiresAt }) => !usedAt && expiresAt.getTime() > now);
      if (live.length === 0) return { refusal: 'expired' };
      const open = live.filter((row) => row.wrongTries < TRIES_A_CODE);
      if (open.length === 0) return { refusal: 'locked' };
      const right = open.find((row) => isEqual(row, code));
      if (right) {
        await tx
          .update(codes)
          .set({ usedAt: new Date(now) })
          .where(and(eq(codes.userId, right.userId), eq(codes.purpose, purpose)));
        return { right: right.userId };
      }
      const tries = { wrongTries: wrongTries + 1, resetTries: resetTries + (purpose === 'reset-password' ? 1 : 0) };
      await tx
        .update(codeGuards)
        .set({ day: today(), ...tries })
        .where(eq(codeGuards.userId, guard));
      for (const row of open) {
        await tx
          .update(codes)
          .set({ wrongTries: row.wrongTries + 1 })
          .where(and(eq(codes.userId, row.userId), eq(codes.purpose, purpose)));
      }
      const after = blockOf(asked, tries);
      if (after) return { refusal: after === 'blocked' ? 'used-up' : after };
      return { refusal: open.every((row) => row.wrongTries + 1 >= TRIES_A_CODE) ? 'locked' : 'wrong' };
    },

    async wasUsed(tx, purpose, holder, code) {
      const [row] = await codesOf(tx, purpose, [holder]);
      return row !== undefined && row.usedAt !== null && row.expiresAt.getTime() > clock() && isEqual(row, code);
    },
  };
}

type CodeRow = typeof codes.$inferSelect;
