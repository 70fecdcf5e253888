import { and, eq } from 'drizzle-orm';
import type { Passkey } from '#contract/account/passkeys.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { notFound } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import { lockUserRow } from '../store.ts';
import { announceChange } from './announce-change.ts';
import { createNewPasskeys, type NewPasskeys } from './new-passkeys.ts';
import { findPasskeys, toPasskey } from './store.ts';
import type { PasskeyParts } from './use-passkey.ts';

/** A user's passkeys. */
export interface Passkeys extends NewPasskeys {
  /** Returns them, oldest first. */
  list(userId: string): Promise<Passkey[]>;
  /** Throws 404 for another user's passkey. */
  rename(userId: string, id: string, name: string): Promise<Passkey>;
  /** Throws 404 for another user's passkey. */
  remove(userId: string, id: string, from: Networks): Promise<void>;
}

export function createPasskeys(parts: PasskeyParts): Passkeys {
  const { db } = parts;
  return {
    ...createNewPasskeys(parts),
    list: async (userId) => (await findPasskeys(db, userId)).map(toPasskey),

    async rename(userId, id, name) {
      const [row] = await db
        .update(passkeys)
        .set({ name })
        .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
        .returning();
      if (!row) throw notFound();
      return toPasskey(row);
    },

    async remove(userId, id, from) {
      const tell = await db.transaction(async (tx) => {
        const user = await lockUserRow(tx, userId);
        const [row] = await tx
          .delete(passkeys)
          .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
          .returning();
        if (!user || !row) throw notFound();
        return announceChange(parts, tx, { user, name: row.name, from, change: 'removed' });
      });
      tell();
    },
  };
}

/** Returns whether the user has a passkey. */
export const hasPasskeys = async (db: Db | Tx, userId: string): Promise<boolean> =>
  (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0;
