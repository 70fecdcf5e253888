import { and, asc, eq, gt, ne } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { userBlobs } from '../db/schema/blobs.ts';
import type { BlobStore } from '../ports/blobs/blob-store.ts';
import { lockBlobs } from './lock-blobs.ts';

/** Blobs per query. */
const PAGE = 200;

interface Parts {
  db: Db;
  store: BlobStore;
}

/** Removes the blobs that no row names, or only rows of the user `except`. Returns their number. */
export async function removeUnnamed({ db, store }: Parts, hashes: readonly (string | null)[], except?: string): Promise<number> {
  const counts = except === undefined ? undefined : ne(userBlobs.userId, except);
  let removed = 0;
  for (const hash of new Set(hashes)) {
    if (hash === null) continue;
    removed += await db.transaction(async (tx) => {
      await lockBlobs(tx, [hash]);
      const [named] = await tx
        .select({ hash: userBlobs.hash })
        .from(userBlobs)
        .where(and(eq(userBlobs.hash, hash), counts))
        .limit(1);
      if (named) return 0;
      await store.remove(hash);
      return 1;
    });
  }
  return removed;
}

/** Removes all blobs that only this user's rows name. Returns their number. */
export async function removeOf({ db, store }: Parts, userId: string): Promise<number> {
  let removed = 0;
  for (let last = ''; ; ) {
    const page = await db
      .selectDistinct({ hash: userBlobs.hash })
      .from(userBlobs)
      .where(and(eq(userBlobs.userId, userId), gt(userBlobs.hash, last)))
      .orderBy(asc(userBlobs.hash))
      .limit(PAGE);
    const hashes = page.map(({ hash }) => hash);
    removed += await removeUnnamed({ db, store }, hashes, userId);
    last = hashes.at(-1) ?? '';
    if (last === '') return removed;
  }
}
