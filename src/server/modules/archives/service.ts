import { randomUUID } from 'node:crypto';
import type { Archive } from '../../../contract/archive';
import type { Clock } from '../../../domain/clock';
import { fold } from '../../../domain/text';
import type { Db, Tx } from '../../db/open';
import { notFound } from '../../http/errors';
import { type ArchiveRow, deleteArchive, findArchive, insertArchive, listArchives, lockArchive, setTitle, titleUntitled } from './store';

const toArchive = (row: ArchiveRow): Archive => ({ id: row.id, archive_title: row.title, created_at: row.createdAt.toISOString() });

export type Archives = ReturnType<typeof createArchives>;

/** A user's conversations. Everything is reached through the user's id; a transaction given is taken part in. */
export function createArchives({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** The archive of that id, new or as it already is. */
    async create(tx: Tx, userId: string, id: string = randomUUID()): Promise<Archive> {
      await insertArchive(tx, userId, id, new Date(clock()));
      const row = await findArchive(tx, userId, id);
      if (!row) throw new Error(`Archive ${id} vanished while it was created`);
      return toArchive(row);
    },

    /** Creates the archive where it is missing, and keeps it to this transaction until that ends. */
    async hold(tx: Tx, userId: string, id: string): Promise<void> {
      await insertArchive(tx, userId, id, new Date(clock()));
      await lockArchive(tx, userId, id);
    },

    /** Keeps the archive to this transaction until that ends; false when it is not there. */
    lock: (tx: Tx, userId: string, id: string): Promise<boolean> => lockArchive(tx, userId, id),

    async exists(userId: string, id: string): Promise<boolean> {
      return (await findArchive(db, userId, id)) !== undefined;
    },

    /** Newest first; case and accents do not matter, and blank text finds everything. */
    async search(userId: string, text: string): Promise<Archive[]> {
      const rows = await listArchives(db, userId, fold(text.trim()));
      return rows.map(toArchive);
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
