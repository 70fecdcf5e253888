import type { UserTables } from '../db/user-db.ts';
import type { Command } from './command.ts';
import { enqueue } from './outbox.ts';

/** The lane of commands on whole conversations. */
export const ARCHIVES = 'archives';

/** The body of its commands. */
export interface ArchiveEdit {
  archiveId: string;
  /** Null deletes the conversation. */
  title: string | null;
}

/** Returns the renames and deletions that the server has not taken or has refused. */
export const unsentArchiveEdits = (db: UserTables): Promise<Command<ArchiveEdit>[]> =>
  db.outbox.where('lane').equals(ARCHIVES).toArray() as Promise<Command<ArchiveEdit>[]>;

/** Queues an edit. It replaces earlier queued edits of the same conversation. */
export async function replaceArchiveEdit(db: UserTables, edit: ArchiveEdit): Promise<void> {
  const isEarlier = ({ body }: Command) => (body as ArchiveEdit).archiveId === edit.archiveId;
  await db.outbox.where('lane').equals(ARCHIVES).filter(isEarlier).delete();
  await enqueue<ArchiveEdit>(db, { id: crypto.randomUUID(), lane: ARCHIVES, body: edit, createdAt: Date.now() });
}
