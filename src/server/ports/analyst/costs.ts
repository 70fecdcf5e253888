import { DAY } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { measure } from '#server/metrics/measurements.ts';

/** Counts of tokens, as models are billed by. */
export interface Tokens {
  input: number;
  output: number;
}

/** USD for a million tokens, which is millionths of a dollar for one. */
export type Prices = Tokens;

/** The user's budget of the day does not cover the request. */
export class BudgetUsedUp extends Error {
  constructor() {
    super("the user's daily budget for the language model is used up");
  }
}

/** Tells what a request used, once it has ended. */
export type Settle = (used: Tokens) => Promise<void>;

/** Reserves what a request of this user can use at most. Throws BudgetUsedUp where the budget does not cover it. */
export type Reserve = (userId: string, most: Tokens) => Promise<Settle>;

interface Parts {
  budgets: Pick<Budgets, 'reserve' | 'correct'>;
  /** Undefined where the model costs nothing. */
  prices: Prices | undefined;
  /** USD for a user and a day (UTC); undefined for no limit. */
  dailyBudget: number | undefined;
  /** Called with the reason why a reservation could not be corrected. It then counts in full. */
  report: (error: unknown) => void;
}

const MILLION = 1_000_000;

/** Counts the costs of a language model for all processes: before each request what it can cost, after it what it has cost. */
export function createCosts({ budgets, prices = { input: 0, output: 0 }, dailyBudget, report }: Parts): Reserve {
  /** Millionths of a dollar. */
  const costOf = ({ input, output }: Tokens) => Math.ceil(input * prices.input + output * prices.output);
  const count = (used: Tokens) => measure('modelUse', { ...used, dollars: costOf(used) / MILLION });

  return async (userId, most) => {
    if (dailyBudget === undefined) return async (used) => count(used);
    const key = `model ${userId}`;
    const reserved = costOf(most);
    const endsAt = await budgets.reserve(key, { max: Math.round(dailyBudget * MILLION), span: DAY }, reserved);
    if (!endsAt) throw new BudgetUsedUp();
    return async (used) => {
      count(used);
      await budgets.correct(key, endsAt, costOf(used) - reserved).catch(report);
    };
  };
}
