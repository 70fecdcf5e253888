import { MINUTE } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { tooMany } from '#server/http/errors.ts';

/** Key checks of one user: each sends a signed request, which the exchange counts against this server's address. */
const KEY_CHECKS = { max: 5, span: MINUTE };

/** Changes of bots by one user: each adds a row to a journal and work for the engine. */
export const COMMANDS = { name: 'bot commands', max: 60, timeWindow: MINUTE };
/** Reports to one user: a page asks every five seconds, and each report sums up all trades. */
export const REPORTS = { name: 'bot reports', max: 240, timeWindow: MINUTE };
/** Comparisons of one user: each may run a backtest. */
export const COMPARISONS = { name: 'bot comparisons', max: 30, timeWindow: MINUTE };
/** Files of trades for one user: each reads all trades of a bot. */
export const FILES = { name: 'bot files', max: 10, timeWindow: MINUTE };

/** Counts calls that check a user's key at the exchange, over all processes. Throws 429 above the limit. */
export type LimitKeyChecks = (userId: string) => Promise<void>;

export const createKeyCheckLimit =
  (budgets: Budgets): LimitKeyChecks =>
  async (userId) => {
    if (await budgets.take(`bot key checks ${userId}`, KEY_CHECKS)) return;
    throw tooMany('You can check exchange keys 5 times a minute. Wait a minute and try again.');
  };
