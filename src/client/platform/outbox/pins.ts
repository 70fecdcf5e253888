import type { UserTables } from '../db/user-db.ts';
import type { Command } from './command.ts';

/** The lane of pins, apart from renames, because earlier versions of the app know only titles there. */
export const PINS = 'pins';

/** The body of its commands. */
export interface Pin {
  archiveId: string;
  pinned: boolean;
}

/** Returns the pins that the server has not taken or has refused. */
export const unsentPins = (db: UserTables): Promise<Command<Pin>[]> =>
  db.outbox.where('lane').equals(PINS).toArray() as Promise<Command<Pin>[]>;
