import { MINUTE } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { tooMany } from '#server/http/errors.ts';

/** Each check signs a request at the exchange, which counts them all against this server's address. */
const KEY_CHECKS = { max: 5, span: MINUTE };

/** Changes that one user makes to bots in a minute. Each is a row of a journal and work for the engine. */
export const COMMANDS = { max: 60, timeWindow: MINUTE };
/** Reports that one user reads in a minute: a page asks every five seconds, and each adds all trades up. */
export const REPORTS = { max: 240, timeWindow: MINUTE };

/** Counts what asks the exchange about a user's key, over all processes. Throws 429 for one too many. */
export type LimitKeyChecks = (userId: string) => Promise<void>;

export const createKeyCheckLimit =
  (budgets: Budgets): LimitKeyChecks =>
  async (userId) => {
    if (await budgets.take(`bot key checks ${userId}`, KEY_CHECKS)) return;
    throw tooMany('Exchange keys can be checked 5 times a minute. Please wait a minute and try again.');
  };
