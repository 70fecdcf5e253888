import { type Archive, archivesAnswer } from '../../../contract/archive';
import { call } from '../../platform/api/call';
import type { Resource } from '../../platform/cache/resource';
import { type UserDb, userDb } from '../../platform/db/user-db';
import { unsentQuestions } from '../../platform/outbox/questions';
import { forget, withEdits } from './archive-edits';

export interface ArchivesParams {
  userId: string;
}

interface Answer {
  listed: Archive[];
  /** Ids the server was expected to know when it was asked: of these, what is not listed was deleted. */
  expected: string[];
}

/** The user's conversations as the server lists them for `search`; empty text lists all. */
export async function fetchArchives(userId: string, search: string): Promise<Archive[]> {
  const { data } = await call(`/user/${userId}/archives/${encodeURIComponent(search)}`, { answer: archivesAnswer });
  return data;
}

/** Ids of conversations with a question that waits to be sent, or was refused. */
export async function unsentArchiveIds(db: UserDb): Promise<Set<string>> {
  const unsent = await unsentQuestions(db);
  return new Set(unsent.map(({ body }) => body.message.archive_id));
}

/** All conversations, newest first. Those begun here that wait to be sent stay, whatever the server lists. */
export const archives: Resource<ArchivesParams, Answer, Archive[]> = {
  key: () => 'archives',

  async fetch({ userId }) {
    const db = userDb(userId);
    const unsent = await unsentArchiveIds(db);
    const known = await db.archives.toCollection().primaryKeys();
    return { expected: known.filter((id) => !unsent.has(id)), listed: await fetchArchives(userId, '') };
  },

  async write(db, _params, answer) {
    const listed = await withEdits(db, answer.listed);
    const ids = new Set(listed.map(({ id }) => id));
    const unsent = await unsentArchiveIds(db);
    const gone = answer.expected.filter((id) => !ids.has(id) && !unsent.has(id));
    await forget(db, gone);

    const known = new Map((await db.archives.toArray()).map((row) => [row.id, row]));
    const changed = ({ id, archive_title, created_at }: Archive) => {
      const row = known.get(id);
      return row?.archive_title !== archive_title || row.created_at !== created_at;
    };
    await db.archives.bulkPut(listed.filter(changed));
  },

  async read(db, _params, stamped) {
    const rows = await db.archives.orderBy('created_at').reverse().toArray();
    return stamped || rows.length > 0 ? rows : undefined;
  },
};
