import type { Bot } from '#contract/bots/bot.ts';
import type { Own, OwnPlan } from '#domain/analyst/own.ts';
import { type Clock, SECOND } from '#domain/clock.ts';
import { DeadlineExceeded, withDeadline } from '#server/with-deadline.ts';

/** How long an answer waits for the prices of bots, ms. */
const PATIENCE = 3 * SECOND;

interface Parts {
  clock: Clock;
  /** Returns the plan of one user, and what is left of it. */
  planOf: (userId: string) => Promise<Omit<OwnPlan, 'asOf'>>;
  /** Returns the bots of one user. */
  botsOf: (userId: string) => Promise<Bot[]>;
}

/** Returns the rows of one user that the analyst may answer from. Bots whose exchange does not answer in time are not at hand. */
export const createOwnOf =
  ({ clock, planOf, botsOf }: Parts) =>
  (userId: string): Own => ({
    plan: async () => ({ ...(await planOf(userId)), asOf: clock() }),
    bots: async () => {
      const bots = await withDeadline(PATIENCE, undefined, () => botsOf(userId)).catch((error) => {
        if (error instanceof DeadlineExceeded) return undefined;
        throw error;
      });
      return bots && { bots, asOf: clock() };
    },
  });
