import { HOUR } from '#domain/clock.ts';
import type { Db } from '../db/open.ts';
import { userBlobs } from '../db/schema/blobs.ts';
import { findNamed, type UserBlobs } from './user-blobs.ts';

/** Age from which a blob without a row is an orphan, ms; uploads store their rows much sooner. */
const ORPHAN_AGE = HOUR;
const PAGE = 200;

type Pause = () => Promise<void>;

/**
 * Removes blobs that no row names, which crashes leave behind, with a pause after each page. Returns their number; `now` in ms. Does
 * nothing when no row names any blob, because the store may belong to another database.
 */
export async function collectOrphans(db: Db, blobs: UserBlobs, now: number, pause: Pause = async () => undefined): Promise<number> {
  const before = now - ORPHAN_AGE;
  await blobs.store.deleteUnfinished(before);
  const [any] = await db.select({ size: userBlobs.size }).from(userBlobs).limit(1);
  if (!any) return 0;
  let removed = 0;
  let page: string[] = [];
  const check = async (): Promise<void> => {
    const named = await findNamed(db, page);
    removed += await blobs.removeUnnamed(page.filter((hash) => !named.has(hash)));
    page = [];
  };
  for await (const { hash, storedAt } of blobs.store.list()) {
    if (storedAt < before) page.push(hash);
    if (page.length < PAGE) continue;
    await check();
    await pause();
  }
  await check();
  return removed;
}
