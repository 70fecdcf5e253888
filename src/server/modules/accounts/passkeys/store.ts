import { randomBytes } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Passkey } from '#contract/account/passkeys.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { users } from '#server/db/schema/users.ts';

export type PasskeyRow = typeof passkeys.$inferSelect;

/** What a verified signature says about its authenticator. */
export interface KeyUse {
  counter: number;
  synced: boolean;
}

export const findPasskeys = (db: Db | Tx, userId: string): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id));

/** Returns a passkey and its user's handle. */
export async function findCredential(db: Db, credentialId: string): Promise<(PasskeyRow & { handle: string | null }) | undefined> {
  const [found] = await db
    .select({ passkey: passkeys, handle: users.passkeyHandle })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId));
  return found && { ...found.passkey, handle: found.handle };
}

/** Returns the id that a user's passkeys store, and makes it for the first one. */
export async function takeHandle(db: Db, userId: string): Promise<{ handle: string; email: string } | undefined> {
  const fresh = randomBytes(32).toString('base64url');
  const [user] = await db
    .update(users)
    .set({ passkeyHandle: sql`coalesce(${users.passkeyHandle}, ${fresh})` })
    .where(eq(users.id, userId))
    .returning({ handle: users.passkeyHandle, email: users.email });
  return user?.handle ? { handle: user.handle, email: user.email } : undefined;
}

/**
 * Stores that a passkey was used. Lock the user's row first. Returns 'gone' if it was removed, and 'copied' if its counter
 * did not rise: then two authenticators count.
 */
export async function markUsed(tx: Tx, { id, userId }: PasskeyRow, use: KeyUse, now: Date): Promise<'used' | 'gone' | 'copied'> {
  const mine = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const [current] = await tx.select().from(passkeys).where(mine);
  if (!current) return 'gone';
  const counts = use.counter > 0 || current.counter > 0;
  if (counts && use.counter <= current.counter) return 'copied';
  await tx.update(passkeys).set({ counter: use.counter, synced: use.synced, lastUsedAt: now }).where(mine);
  return 'used';
}

export const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  synced: row.synced,
});
