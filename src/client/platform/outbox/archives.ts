import type { UserDb } from '../db/user-db.ts';
import type { Command } from './command.ts';

/** The lane of what is done to whole conversations. */
export const ARCHIVES = 'archives';

/** The body of its commands. */
export interface ArchiveEdit {
  archiveId: string;
  /** Null deletes it. */
  title: string | null;
}

/** Names and deletions that the server has yet to take or has refused. */
export const unsentArchiveEdits = (db: UserDb): Promise<Command<ArchiveEdit>[]> =>
  db.outbox.where('lane').equals(ARCHIVES).toArray() as Promise<Command<ArchiveEdit>[]>;
