import { randomUUID } from 'node:crypto';
import type { Archive } from '#contract/chat/archive.ts';
import { ARCHIVES_PAGE, MAX_ARCHIVES } from '#contract/chat/archive-limits.ts';
import type { TitleResponse } from '#contract/chat/chat.ts';
import { messagePreview, PREVIEWED } from '#domain/chat-preview.ts';
import type { Clock } from '#domain/clock.ts';
import { fold } from '#domain/text.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { type OwnedId, ownedKey } from '#server/db/owned-rows.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import { createFairSlots } from '#server/slots.ts';
import { cursorOf, placeOf } from './cursor.ts';
import { pinArchive } from './pins.ts';
import { searchPage } from './search.ts';
import {
  type ArchiveRow,
  countArchives,
  deleteArchive,
  findArchive,
  findArchives,
  insertArchive,
  listArchives,
  listPinned,
  lockArchive,
  newestMessages,
  type Place,
  setTitle,
} from './store.ts';
import { nameArchive } from './titles.ts';

/** Concurrent searches per process and per user, and the queue per user. */
const SEARCHES = { size: 2, each: 1, queue: 5 };

const TOO_MANY = `You have ${MAX_ARCHIVES.toLocaleString('en-US')} chats. Delete some to start a new one.`;

const toArchive = (row: ArchiveRow): Archive => ({
  id: row.id,
  archive_title: row.title,
  created_at: row.createdAt.toISOString(),
  ...(row.pinnedAt && { pinned_at: row.pinnedAt.toISOString() }),
});

/** Returns rows of a list, with previews. */
async function toListed(db: Db, userId: string, rows: readonly ArchiveRow[]): Promise<Archive[]> {
  const ids = rows.map(({ id }) => id);
  const newest = await newestMessages(db, userId, ids, PREVIEWED);
  return rows.map((row) => {
    const message = newest.get(row.id);
    return { ...toArchive(row), ...(message && messagePreview(message)), ...(message?.own && { preview_own: true }) };
  });
}

interface Listed {
  archives: Archive[];
  next: string | null;
  /** Only with the first page of the whole list. */
  pinned?: Archive[];
}

/** Returns the page after a place in the whole list, newest first. */
async function listPage(db: Db, userId: string, after: Place | undefined): Promise<Listed> {
  const rows = await listArchives(db, userId, after, ARCHIVES_PAGE + 1);
  const page = rows.slice(0, ARCHIVES_PAGE);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  const next = last ? cursorOf(last) : null;
  if (after) return { archives: await toListed(db, userId, page), next };
  const pinned = await listPinned(db, userId);
  const listed = await toListed(db, userId, [...page, ...pinned.filter(({ id }) => !page.some((row) => row.id === id))]);
  const byId = new Map(listed.map((row) => [row.id, row]));
  return { archives: listed.slice(0, page.length), next, pinned: pinned.flatMap(({ id }) => byId.get(id) ?? []) };
}

export type Archives = ReturnType<typeof createArchives>;

/** Stores users' conversations. Every query is limited to the user's own rows. */
export function createArchives({ db, clock }: { db: Db; clock: Clock }) {
  const inSlot = createFairSlots(SEARCHES);

  /** Creates the archive. Throws 409 at the limit. The transaction must hold the user's lock. */
  async function add(tx: Tx, userId: string, id: string): Promise<ArchiveRow> {
    if ((await countArchives(tx, userId)) >= MAX_ARCHIVES) throw new Problem(409, 'too_many_archives', TOO_MANY);
    return insertArchive(tx, userId, id, new Date(clock()));
  }

  return {
    /** Returns the archive with this id, and creates it if it is missing. Throws 409 at the limit. */
    async create(tx: Tx, userId: string, id: string = randomUUID()): Promise<Archive> {
      await lockUser(tx, userId);
      return toArchive((await findArchive(tx, userId, id)) ?? (await add(tx, userId, id)));
    },

    /**
     * Creates the archive if it is missing (409 at the limit) and locks it until the transaction ends. The transaction must
     * hold the user's lock.
     */
    async hold(tx: Tx, userId: string, id: string): Promise<void> {
      // Nothing else sees a row that this transaction has inserted.
      if (!(await lockArchive(tx, userId, id))) await add(tx, userId, id);
    },

    /** Locks the archive until the transaction ends, and returns its title. Undefined if it does not exist. */
    lock: lockArchive,

    async find(userId: string, id: string, at: Db = db): Promise<Archive | undefined> {
      const row = await findArchive(at, userId, id);
      return row && toArchive(row);
    },

    /** Returns the titles of these archives by `ownedKey`. */
    async readTitles(rows: readonly OwnedId[]): Promise<Map<string, TitleResponse>> {
      const found = await findArchives(db, rows);
      return new Map(
        found.map((row) => [ownedKey(row), { archive_id: row.id, title: row.title, pinned_at: row.pinnedAt?.toISOString() ?? null }]),
      );
    },

    /**
     * Returns the page after `cursor`, newest first. Ignores case and accents; blank text lists everything, and its first page has the
     * pinned ones too. Throws 400 for an invalid cursor, and 429 for too many concurrent searches of a user.
     */
    async search(userId: string, text: string, cursor?: string): Promise<Listed> {
      const after = cursor === undefined ? undefined : placeOf(cursor);
      const needle = fold(text.trim());
      if (needle) {
        const { rows, next } = await inSlot(userId, () => searchPage(db, { userId, needle, after }));
        return { archives: await toListed(db, userId, rows), next: next ? cursorOf(next) : null };
      }
      return listPage(db, userId, after);
    },

    name: nameArchive,

    /** Renames the archive. Throws 404 if it does not exist. */
    async rename(tx: Tx, userId: string, id: string, title: string): Promise<Archive> {
      const row = await setTitle(tx, userId, id, title, fold(title));
      if (!row) throw notFound();
      return toArchive(row);
    },

    /** As `pinArchive`. */
    pin: async (tx: Tx, userId: string, id: string, isPinned: boolean): Promise<Archive> =>
      toArchive(await pinArchive(tx, { userId, id, isPinned, now: clock() })),

    /** Deletes the archive's row. The chat module deletes its messages. */
    remove: (tx: Tx, userId: string, id: string): Promise<void> => deleteArchive(tx, userId, id),
  };
}
