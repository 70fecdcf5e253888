import type { UserTables } from '../db/user-db.ts';
import type { Command } from './command.ts';

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
