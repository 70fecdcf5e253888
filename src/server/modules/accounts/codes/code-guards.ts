import { eq } from 'drizzle-orm';
import { type Clock, dayOf } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { codeGuards } from '#server/db/schema/codes.ts';

const TRIES_A_DAY = 20;
/** Wrong reset codes a day, over all codes. Stricter, because a reset takes the account over, and its mail also has a link. */
const RESETS_A_DAY = 3;

/** What a code or a link is for. */
export type Purpose = 'verify-email' | 'reset-password';

/** Today's wrong tries. */
export interface Tries {
  wrongTries: number;
  resetTries: number;
}

/** Locks the guard's row and returns its wrong tries of today. */
export async function lockGuard(tx: Tx, clock: Clock, guard: string): Promise<Tries> {
  const day = dayOf(clock());
  const [row] = await tx
    .insert(codeGuards)
    .values({ userId: guard, day })
    .onConflictDoUpdate({ target: codeGuards.userId, set: { userId: guard } })
    .returning();
  return row?.day === day ? row : { wrongTries: 0, resetTries: 0 };
}

/** Counts a wrong try for a locked guard and returns the new numbers. */
export async function countWrongTry(tx: Tx, clock: Clock, guard: string, purpose: Purpose, before: Tries): Promise<Tries> {
  const tries = { wrongTries: before.wrongTries + 1, resetTries: before.resetTries + (purpose === 'reset-password' ? 1 : 0) };
  await tx
    .update(codeGuards)
    .set({ day: dayOf(clock()), ...tries })
    .where(eq(codeGuards.userId, guard));
  return tries;
}

/** Returns why these tries allow no code today, or null. */
export function blockOf(purpose: Purpose, { wrongTries, resetTries }: Tries): 'blocked' | 'link-only' | null {
  if (wrongTries >= TRIES_A_DAY) return 'blocked';
  return purpose === 'reset-password' && resetTries >= RESETS_A_DAY ? 'link-only' : null;
}
