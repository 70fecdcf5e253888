import { eq, inArray } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';

/** Names the switch that halts one user's bots, or all bots. */
export const haltName = (userId?: string): string => (userId === undefined ? 'halt' : `halt:${userId}`);

/** Returns why an operator halts each of these users' bots; null if none does. */
export async function haltReasons(db: Db, userIds: readonly string[]): Promise<(string | null)[]> {
  const names = [haltName(), ...new Set(userIds.map(haltName))];
  const rows = await db.select().from(operatorSwitches).where(inArray(operatorSwitches.name, names));
  const reasons = new Map(rows.map(({ name, reason }) => [name, reason]));
  return userIds.map((userId) => reasons.get(haltName()) ?? reasons.get(haltName(userId)) ?? null);
}

/** Returns why an operator halts a user's bots; null if none does. */
export const haltReason = async (db: Db, userId: string): Promise<string | null> => (await haltReasons(db, [userId]))[0] ?? null;

/** Returns why an operator halts all bots; null if none does. */
export async function haltReasonOfAll(db: Db): Promise<string | null> {
  const [row] = await db.select({ reason: operatorSwitches.reason }).from(operatorSwitches).where(eq(operatorSwitches.name, haltName()));
  return row?.reason ?? null;
}
