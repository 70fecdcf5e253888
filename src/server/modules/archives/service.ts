import { randomUUID } from 'node:crypto';
import { ARCHIVES_PAGE, type Archive, MAX_ARCHIVES } from '#contract/chat/archive.ts';
import type { Clock } from '#domain/clock.ts';
import { fold } from '#domain/text.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import { createFairSlots } from '#server/slots.ts';
import { cursorOf, placeOf } from './cursor.ts';
import { searchPage } from './search.ts';
import {
  type ArchiveRow,
  countArchives,
  deleteArchive,
  findArchive,
  insertArchive,
  listArchives,
  lockArchive,
  setTitle,
  titleUntitled,
} from './store.ts';

/** Searches of one process at a time, one of each user, who may have a few more waiting. */
const SEARCHES = { size: 2, each: 1, queue: 5 };

const TOO_MANY = `You have ${MAX_ARCHIVES.toLocaleString('en-US')} chats. Delete some to start a new one.`;

const toArchive = (row: ArchiveRow): Archive => ({ id: row.id, archive_title: row.title, created_at: row.createdAt.toISOString() });

export type Archives = ReturnType<typeof createArchives>;

/** A user's conversations. Everything is reached through the user's id; a transaction given is taken part in. */
export function createArchives({ db, clock }: { db: Db; clock: Clock }) {
  const inSlot = createFairSlots(SEARCHES);

  /** Creates the archive where it is missing; throws 409 for one too many. The transaction must hold the user. */
  async function add(tx: Tx, userId: string, id: string): Promise<void> {
    if (await findArchive(tx, userId, id)) return;
    if ((await countArchives(tx, userId)) >= MAX_ARCHIVES) throw new Problem(409, 'too_many_archives', TOO_MANY);
    await insertArchive(tx, userId, id, new Date(clock()));
  }

  return {
    /** The archive of that id, new or as it already is; 409 for one too many. */
    async create(tx: Tx, userId: string, id: string = randomUUID()): Promise<Archive> {
      await lockUser(tx, userId);
      await add(tx, userId, id);
      const row = await findArchive(tx, userId, id);
      if (!row) throw new Error(`Archive ${id} vanished while it was created`);
      return toArchive(row);
    },

    /**
     * Creates the archive where it is missing (409 for one too many), and keeps it to this transaction until that ends. The
     * transaction must hold the user.
     */
    async hold(tx: Tx, userId: string, id: string): Promise<void> {
      await add(tx, userId, id);
      await lockArchive(tx, userId, id);
    },

    /** Keeps the archive to this transaction until that ends; false when it is not there. */
    lock: (tx: Tx, userId: string, id: string): Promise<boolean> => lockArchive(tx, userId, id),

    async find(userId: string, id: string): Promise<Archive | undefined> {
      const row = await findArchive(db, userId, id);
      return row && toArchive(row);
    },

    /**
     * One page, newest first, after the one that gave `cursor`. Case and accents do not matter, and blank text finds
     * everything. Throws 400 for a cursor that is none, and 429 for a user with too many searches at once.
     */
    async search(userId: string, text: string, cursor?: string): Promise<{ archives: Archive[]; next: string | null }> {
      const after = cursor === undefined ? undefined : placeOf(cursor);
      const needle = fold(text.trim());
      if (needle) {
        const { rows, next } = await inSlot(userId, () => searchPage(db, { userId, needle, after }));
        return { archives: rows.map(toArchive), next: next ? cursorOf(next) : null };
      }
      const rows = await listArchives(db, userId, after, ARCHIVES_PAGE + 1);
      const page = rows.slice(0, ARCHIVES_PAGE);
      const last = rows.length > page.length ? page.at(-1) : undefined;
      return { archives: page.map(toArchive), next: last ? cursorOf(last) : null };
    },

    /** Gives the archive its first title; false when it has one already: what its user called it stays. */
    name: (tx: Tx, userId: string, id: string, title: string): Promise<boolean> => titleUntitled(tx, userId, id, title, fold(title)),

    /** Gives the archive the title its user wants; 404 when it is not there. */
    async rename(tx: Tx, userId: string, id: string, title: string): Promise<Archive> {
      const row = await setTitle(tx, userId, id, title, fold(title));
      if (!row) throw notFound();
      return toArchive(row);
    },

    /** Deletes the archive itself. What was said in it is the chat's to delete. */
    remove: (tx: Tx, userId: string, id: string): Promise<void> => deleteArchive(tx, userId, id),
  };
}
