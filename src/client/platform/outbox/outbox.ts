import { ApiError } from '../api/errors.ts';
import type { UserDb, UserTables } from '../db/user-db.ts';
import { withLock } from '../tabs/with-lock.ts';
import type { Command } from './command.ts';

/** Thrown by a sender when the server refuses a command and a retry would not help. */
export class Refused extends Error {}

/** Thrown by a sender for a command that another lane's command must precede. The lane's other commands do not wait for it. */
export class Postponed extends Error {}

export type NewCommand<Body> = Pick<Command<Body>, 'id' | 'lane' | 'body' | 'createdAt'>;

/** Queues a command. Call it in the transaction that writes the rows the user sees. */
export async function enqueue<Body>(db: UserTables, command: NewCommand<Body>): Promise<void> {
  await db.outbox.add({ ...command, attempts: 0, state: 'waiting' });
}

/** Name of the Web Lock that a lane's sender holds, across tabs and worker. */
export const laneLock = (db: UserDb, lane: string): string => `${db.name}/outbox/${lane}`;

export type DrainResult = 'empty' | 'stopped';

/**
 * Sends a lane's commands in order and removes each after `send` returns. One drain runs at a time across tabs and
 * worker. A refused command is parked, and a postponed one left out; any other failure ends the drain. Returns `'stopped'`
 * if commands are left to retry later.
 */
export function drain<Body>(db: UserDb, lane: string, send: (command: Command<Body>) => Promise<void>): Promise<DrainResult> {
  return withLock(laneLock(db, lane), async () => {
    const postponed = new Set<string>();
    for (;;) {
      const command = (await nextWaiting(db, lane, postponed)) as Command<Body> | undefined;
      if (!command) return postponed.size > 0 ? 'stopped' : 'empty';
      try {
        await send(command);
        await db.outbox.where('id').equals(command.id).delete();
      } catch (error) {
        if (error instanceof Postponed) {
          postponed.add(command.id);
          continue;
        }
        if (error instanceof Refused) {
          await db.outbox.where('id').equals(command.id).modify({ state: 'parked', reason: error.message });
          continue;
        }
        await db.outbox
          .where('id')
          .equals(command.id)
          .modify((kept) => {
            kept.attempts += 1;
            if (error instanceof ApiError && error.status === 429) kept.reason = error.message;
            else delete kept.reason;
          });
        return 'stopped';
      }
    }
  });
}

const nextWaiting = (db: UserDb, lane: string, postponed: ReadonlySet<string>) =>
  db.outbox
    .where('lane')
    .equals(lane)
    .filter(({ id, state }) => state === 'waiting' && !postponed.has(id))
    .first(); // rows of one index key are in primary-key order, so this is the oldest

/** Queues a parked command again. */
export async function retry(db: UserTables, id: string): Promise<void> {
  await db.outbox
    .where('id')
    .equals(id)
    .modify((command) => {
      command.state = 'waiting';
      delete command.reason;
    });
}

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 60_000;

/** Returns the delay before the next drain, ms, after so many failures. */
export const backoff = (failures: number): number => Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** failures);
