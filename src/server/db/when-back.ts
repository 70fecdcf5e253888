import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from './database-errors.ts';

const FIRST_PAUSE = 200;
const MAX_PAUSE = 2_000;
/** How long work waits for the database, ms. */
const LIMIT = 120_000;

/**
 * Repeats work until the database is back. Throws other errors at once, and the last one after two minutes or when `isOver`.
 * `isAway`: errors of other services that the work waits for too.
 */
export async function whenBack<T>(work: () => Promise<T>, isOver: () => boolean, isAway = isDatabaseAway): Promise<T> {
  const end = performance.now() + LIMIT;
  for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, MAX_PAUSE)) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || isOver() || performance.now() > end) throw error;
    }
    await pause(wait * (0.5 + Math.random()));
  }
}
