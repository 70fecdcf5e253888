import { eq, inArray, sql } from 'drizzle-orm';
import { lockUser } from '../db/lock-user.ts';
import type { Db, Tx } from '../db/open.ts';
import { userBlobs } from '../db/schema/blobs.ts';
import { Problem, unavailable } from '../http/errors.ts';
import type { BlobRef, BlobStore } from '../ports/blobs/blob-store.ts';
import { lockBlobs } from './lock-blobs.ts';
import { removeOf, removeUnnamed } from './remove-blobs.ts';

export interface UserBlobs {
  store: BlobStore;
  /** Stores content and runs the change whose rows name it, which must call `claim`. Removes the content when the change fails. */
  keep<T>(sources: readonly (Uint8Array | { path: string })[], change: (blobs: BlobRef[]) => Promise<T>): Promise<T>;
  /**
   * Checks the user's quota and locks the blobs until the transaction ends. Call it before inserting the rows that name them.
   * Throws 409 `quota`, or 503 when another process has removed the content.
   */
  claim(tx: Tx, userId: string, blobs: readonly BlobRef[]): Promise<void>;
  /** Like `claim`, without the quota check. */
  hold(tx: Tx, blobs: readonly BlobRef[]): Promise<void>;
  /** Returns the bytes of a user's blobs and the quota. */
  usage(db: Db, userId: string): Promise<{ used: number; quota: number }>;
  /** Removes blobs that no row names. Call it after the commit that deleted the rows. Safe to repeat. */
  removeUnnamed(hashes: readonly (string | null)[]): Promise<number>;
  /** Removes all blobs that only this user's rows name and returns their number. Call it before deleting the rows. */
  removeOf(userId: string): Promise<number>;
}

/** Manages users' blobs, which rows name (`user_blobs`). `quota`: bytes per user. */
export function createUserBlobs({ db, store, quota }: { db: Db; store: BlobStore; quota: number }): UserBlobs {
  async function used(at: Db, userId: string): Promise<number> {
    const [sum] = await at
      .select({ size: sql<string>`coalesce(sum(${userBlobs.size}), 0)` })
      .from(userBlobs)
      .where(eq(userBlobs.userId, userId));
    return Number(sum?.size ?? 0);
  }

  async function hold(tx: Tx, blobs: readonly BlobRef[]): Promise<void> {
    await lockBlobs(
      tx,
      blobs.map(({ hash }) => hash),
    );
    for (const blob of blobs) {
      if (!(await store.has(blob))) throw unavailable('try_again', 'The picture could not be stored. Please try again.');
    }
  }

  return {
    store,
    usage: async (at, userId) => ({ used: await used(at, userId), quota }),
    hold,
    removeUnnamed: (hashes) => removeUnnamed({ db, store }, hashes),
    removeOf: (userId) => removeOf({ db, store }, userId),

    async keep(sources, change) {
      const blobs: BlobRef[] = [];
      try {
        for (const source of sources) blobs.push(await store.put(source));
        return await change(blobs);
      } catch (error) {
        // Orphan collection retries this; the caller needs the first error.
        await removeUnnamed(
          { db, store },
          blobs.map(({ hash }) => hash),
        ).catch(() => undefined);
        throw error;
      }
    },

    async claim(tx, userId, blobs) {
      if (blobs.length === 0) return;
      await lockUser(tx, userId);
      const added = blobs.reduce((sum, { size }) => sum + size, 0);
      if ((await used(tx, userId)) + added > quota) throw quotaReached(quota);
      await hold(tx, blobs);
    },
  };
}

/** Returns which of the hashes a row names. */
export async function findNamed(db: Db, hashes: readonly string[]): Promise<Set<string | null>> {
  if (hashes.length === 0) return new Set();
  const rows = await db
    .select({ hash: userBlobs.hash })
    .from(userBlobs)
    .where(inArray(userBlobs.hash, [...hashes]));
  return new Set(rows.map(({ hash }) => hash));
}

function quotaReached(quota: number): Problem {
  const megabytes = Math.floor(quota / 1_000_000);
  return new Problem(409, 'quota', `Your pictures would exceed ${megabytes} MB on the server. Delete chats with pictures, then try again.`);
}
