import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { clientFiles } from '../db/schema/operations.ts';
import { busy } from '../http/errors.ts';
import { createRecentMap } from '../recent-map.ts';
import { createSlots } from '../slots.ts';
import { type ClientFile, listClientFiles, readClientFile } from './built-files.ts';

/** Files of other builds in memory: two builds have about a hundred. */
const MAX_CACHED = 200;
/** Connections that unknown addresses may occupy at once. */
const LOOKUPS_AT_ONCE = 2;
/** Lookups that may wait for that. */
const MAX_WAITING = 200;
const MAX_KEY = 200;

export interface SharedFiles {
  /** Returns whether this build has the file at an address. */
  isOwn(key: string): boolean;
  /** Returns the file that any build on this database has at an address. */
  find(key: string): Promise<ClientFile | undefined>;
  /** Stores the files of this build, and marks them as in use. */
  publish(): Promise<void>;
}

/**
 * Shares the app's files with servers of other versions on the same database: while a new version replaces an old one, a proxy may send
 * the page of either to either.
 * @param db undefined where no other process is on the database
 */
export async function createSharedFiles(clientDir: string, db: Db | undefined): Promise<SharedFiles> {
  const own = await listClientFiles(clientDir);
  const inSlot = createSlots(LOOKUPS_AT_ONCE, {
    queue: MAX_WAITING,
    refusal: () => busy('Too many files are being looked up. Please try again in a moment.'),
  });
  /** Content never changes at an address. */
  const cached = createRecentMap<string, ClientFile>(MAX_CACHED);

  async function read(key: string): Promise<ClientFile | undefined> {
    const { encoding, content } = clientFiles;
    const [found] = (await db?.select({ key: clientFiles.key, encoding, content }).from(clientFiles).where(eq(clientFiles.key, key))) ?? [];
    if (found) cached.set(key, found);
    return found;
  }

  return {
    isOwn: (key) => own.has(key),
    async find(key) {
      if (!db || key.length > MAX_KEY) return undefined;
      return cached.get(key) ?? inSlot(async () => cached.get(key) ?? read(key));
    },
    async publish() {
      if (!db || own.size === 0) return;
      const keys = [...own.keys()];
      // First, so that no cleanup deletes a row that this build relies on.
      const marked = await db.transaction((tx) =>
        tx.update(clientFiles).set({ usedAt: sql`now()` }).where(inArray(clientFiles.key, keys)).returning({ key: clientFiles.key }),
      );
      const known = new Set(marked.map(({ key }) => key));
      for (const [key, file] of own) {
        if (!known.has(key))
          await db
            .insert(clientFiles)
            .values(await readClientFile(key, file))
            .onConflictDoNothing();
      }
    },
  };
}
