import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Time after each statement of a transaction, ms: two transactions that begin at once then hold their locks at the same time. */
const STEP = 15;
/** PostgreSQL's codes for a transaction that it ends because of another one: serialization failure, deadlock. */
const CONFLICTS = ['40001', '40P01'];

/**
 * Slows the transactions of this process down while `during` runs, and notes those that PostgreSQL ends because of another one: the
 * server runs them again, so that its answers do not tell.
 * @returns the statements that were ended
 */
export async function conflictsDuring(during: () => Promise<void>): Promise<string[]> {
  const { query } = pg.Client.prototype;
  const conflicts: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: `query` has many signatures, and this hands all of them on.
  pg.Client.prototype.query = function slow(this: pg.Client, ...args: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const answer = (query as any).apply(this, args);
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      async (result) => {
        await pause(STEP);
        return result;
      },
      (error) => {
        if (CONFLICTS.includes(error.code)) conflicts.push(`${error.code}: ${args[0]?.text ?? args[0]}`);
        throw error;
      },
    );
  };
  try {
    await during();
  } finally {
    pg.Client.prototype.query = query;
  }
  return conflicts;
}
