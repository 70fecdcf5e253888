import { and, count, eq, inArray, ne } from 'drizzle-orm';
import type { AllowanceKind } from '#domain/plans/allowance.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { charges } from '#server/db/schema/chat.ts';

export interface Charge {
  userId: string;
  /** The client id of the charged question, edit or retry. */
  id: string;
  chatId: string;
  kind: AllowanceKind;
}

/** Returns false when the id was charged before. */
export async function insertReserved(tx: Tx, charge: Charge, month: string, createdAt: Date): Promise<boolean> {
  const inserted = await tx
    .insert(charges)
    .values({ ...charge, month, state: 'reserved', createdAt })
    .onConflictDoNothing()
    .returning({ id: charges.id });
  return inserted.length > 0;
}

/** Returns how many of each kind are reserved or spent in a month. */
export async function countUsed(db: Db, userId: string, month: string): Promise<Record<AllowanceKind, number>> {
  const rows = await db
    .select({ kind: charges.kind, used: count() })
    .from(charges)
    .where(and(eq(charges.userId, userId), eq(charges.month, month), ne(charges.state, 'returned')))
    .groupBy(charges.kind);
  const used = (kind: AllowanceKind) => rows.find((row) => row.kind === kind)?.used ?? 0;
  return { question: used('question'), chart: used('chart') };
}

/** Settles the open reservations of these questions. */
export async function endReserved(tx: Tx, userId: string, chatIds: readonly string[], state: 'spent' | 'returned'): Promise<void> {
  if (chatIds.length === 0) return;
  await tx
    .update(charges)
    .set({ state })
    .where(and(eq(charges.userId, userId), inArray(charges.chatId, [...chatIds]), eq(charges.state, 'reserved')));
}

/** Returns a question's reservation as one of the day's free pictures. */
export async function endFree(tx: Tx, userId: string, chatId: string, freeDay: string): Promise<void> {
  await tx
    .update(charges)
    .set({ state: 'returned', freeDay })
    .where(and(eq(charges.userId, userId), eq(charges.chatId, chatId), eq(charges.state, 'reserved')));
}

/** Returns how many free pictures a user had on a day. */
export const countFree = (tx: Tx, userId: string, freeDay: string): Promise<number> =>
  tx.$count(charges, and(eq(charges.userId, userId), eq(charges.freeDay, freeDay)));
