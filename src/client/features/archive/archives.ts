import Dexie from 'dexie';
import { call } from '#client/platform/api/call.ts';
import { dropEarlyAnswer } from '#client/platform/api/early-answer.ts';
import { isOutdated } from '#client/platform/cache/is-outdated.ts';
import { onForget } from '#client/platform/cache/memory.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { userDbName } from '#client/platform/db/db-names.ts';
import { transact } from '#client/platform/db/transact.ts';
import { type UserDb, type UserTables, userDb } from '#client/platform/db/user-db.ts';
import { clearScreens } from '#client/platform/first-screen/stored-screens.ts';
import { unsentQuestions } from '#client/platform/outbox/questions.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { ARCHIVES_PAGE } from '#contract/chat/archive-limits.ts';
import { previewOf as previewOfQuestion } from '#domain/chat-preview.ts';
import { forget, withEdits } from './archive-edits.ts';
import { dropOtherPins } from './pins.ts';

export interface ArchivesParams {
  userId: string;
}

interface Answer {
  listed: Archive[];
  /** Cursor of the next page, or null. */
  next: string | null;
  /** The first page's pinned conversations; earlier servers have none. */
  pinned?: Archive[] | undefined;
}

/** Stamp of the last answer to a change of this device. */
export const SENT = 'archives/sent';

/** Whether an answer asked for at `askedAt`, ms UTC, may lack a rename, pin or deletion of this device that the server has taken since. */
export const lacksChange = async (db: UserTables, askedAt: number): Promise<boolean> => isOutdated(askedAt, await db.stamps.get(SENT));

/** A fetched page of the whole list. */
export interface Page extends Answer {
  /** ms UTC. */
  askedAt: number;
  /** Last row of the previous page; undefined for the first page. */
  after: Archive | undefined;
  /** Ids that the server had at the time of the request. Those missing from the page's range were deleted. */
  expected: string[];
}

/** The end of the pages read so far. */
export interface Edge {
  next: string | null;
  last: Archive | undefined;
}

/** The end of each user's first page. */
const firstEdges = new Map<string, Edge>();
onForget(() => firstEdges.clear());
export const firstEdge = (db: UserDb): Edge | undefined => firstEdges.get(db.name);

const answer = () => import('#contract/chat/archive.ts').then(({ archivesAnswer }) => archivesAnswer);

/** Fetches a page of the user's conversations that match `search`; empty text lists all. */
export async function fetchArchives(userId: string, search: string, cursor: string | null = null): Promise<Answer> {
  const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  const { data, next = null, pinned } = await call(`/user/${userId}/archives/${encodeURIComponent(search)}${query}`, { answer });
  return { listed: data, next, pinned };
}

/** Ids of conversations with a queued or refused question. */
export async function unsentArchiveIds(db: UserTables): Promise<Set<string>> {
  const unsent = await unsentQuestions(db);
  return new Set(unsent.map(({ body }) => body.message.archive_id));
}

async function fetchPage(userId: string, edge?: Edge): Promise<Page> {
  const db = userDb(userId);
  // In one transaction: a conversation begun between the two reads would look like one that the server has deleted.
  const [unsent, known] = await db.transaction('r', db.outbox, db.archives, () =>
    Promise.all([unsentArchiveIds(db), db.archives.toCollection().primaryKeys()]),
  );
  // An answer requested before the ids were read could lack a conversation that another tab has created since.
  if (known.length > 0) dropEarlyAnswer();
  const askedAt = Date.now();
  const answer = await fetchArchives(userId, '', edge?.next);
  return { ...answer, askedAt, after: edge?.last, expected: known.filter((id) => !unsent.has(id)) };
}

/** Sorts newest first, like the server. */
export const isOlder = (a: Archive, b: Archive): boolean => a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id);

/** Deletes the stored first screens. A transaction of the user's database would end while it waited for that. */
function clearScreensMeanwhile(): void {
  Dexie.ignoreTransaction(clearScreens).catch((error: unknown) => console.error('deleting first screens failed', error));
}

/** Stores a page and deletes the device's other rows in its range. */
async function storePage(db: UserTables, { listed, next, pinned, after, expected }: Page): Promise<void> {
  const known = new Map((await db.archives.toArray()).map((row) => [row.id, row]));
  const last = next === null ? undefined : listed.at(-1);
  const isInRange = (row: Archive) => (!after || isOlder(row, after)) && (!last || !isOlder(row, last));
  const ids = new Set((await storeListed(db, listed, known)).map(({ id }) => id));
  const unsent = await unsentArchiveIds(db);
  const gone = expected.filter((id) => {
    const row = known.get(id);
    return row && isInRange(row) && !ids.has(id) && !unsent.has(id);
  });
  await forget(db, gone);
  if (gone.length > 0) clearScreensMeanwhile();
  if (!pinned) return;
  await storeListed(db, pinned, known);
  await dropOtherPins(db, pinned);
}

const FIELDS = ['archive_title', 'created_at', 'preview', 'preview_of', 'preview_own', 'pinned_at'] as const;

/** Returns the preview of a row; nothing where it has none. */
const previewOf = (row: Archive | undefined) =>
  row?.preview === undefined ? {} : { preview: row.preview, preview_of: row.preview_of, preview_own: row.preview_own };

/** Whether a question that a list shows without an answer has been answered since. */
async function isAnsweredHere(db: UserTables, { id, preview, preview_of: of }: Archive): Promise<boolean> {
  if (of !== 'waiting') return false;
  const last = await db.messages.where('[archive_id+position]').between([id, 0], [id, Number.MAX_SAFE_INTEGER]).last();
  return last?.chat_status === 'ai-responce' && previewOfQuestion(last.user_message) === preview;
}

/** Stores rows from the server with queued edits applied. Returns those that are not deleted. */
export async function storeListed(db: UserTables, listed: Archive[], known: ReadonlyMap<string, Archive>): Promise<Archive[]> {
  const rows = await withEdits(db, listed);
  const unsent = await unsentArchiveIds(db);
  const changed = (listed: Archive) => {
    const row = known.get(listed.id);
    return !row || FIELDS.some((field) => row[field] !== listed[field]);
  };
  // The device knows a newer message than the server's list.
  const merged = await Promise.all(
    rows.map(async (row) => (unsent.has(row.id) || (await isAnsweredHere(db, row)) ? { ...row, ...previewOf(known.get(row.id)) } : row)),
  );
  await db.archives.bulkPut(merged.filter(changed));
  return rows;
}

/** Fetches and stores the page after `edge`. Throws like `call`. */
export async function loadPage(userId: string, edge: Edge): Promise<Edge> {
  const db = userDb(userId);
  for (;;) {
    const page = await fetchPage(userId, edge);
    const isStored = await transact(db, db.tables, async (db) => {
      if (await lacksChange(db, page.askedAt)) return false;
      await storePage(db, page);
      return true;
    });
    if (isStored) return { next: page.next, last: page.listed.at(-1) ?? edge.last };
  }
}

/** The resource of the newest conversations. New conversations that are not sent yet stay. */
export const archives: Resource<ArchivesParams, Page, Archive[]> = {
  key: () => 'archives',

  fetch: ({ userId }) => fetchPage(userId),

  async write(db, { userId }, page) {
    if (await lacksChange(db, page.askedAt)) return; // after each change the list is loaded again
    await storePage(db, page);
    firstEdges.set(userDbName(userId), { next: page.next, last: page.listed.at(-1) });
  },

  async read(db, _params, stamped) {
    const rows = await newestArchives(db, ARCHIVES_PAGE);
    return stamped || rows.length > 0 ? rows : undefined;
  },
};

/** Reads the conversations on this device, newest first. */
export const newestArchives = (db: UserDb, limit: number): Promise<Archive[]> =>
  db.archives.orderBy('created_at').reverse().limit(limit).toArray();
