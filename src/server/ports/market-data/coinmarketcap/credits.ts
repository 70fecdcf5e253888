import { type Clock, DAY } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { TryLater } from '../last-good.ts';

/** Share of the daily credits for single coins, so that lists always have some left. */
const COINS_PART = 0.2;

/** Expected cost of a call, and whether it reads lists or single coins. */
export interface Price {
  of: 'lists' | 'coins';
  credits: number;
}

/** The day's credits are spent; the next ones come at midnight UTC. */
export class CreditsSpent extends TryLater {}

export interface Credits {
  /** Spends credits. Throws `CreditsSpent` when too few are left today. */
  pay(price: Price): Promise<void>;
  /** Calls the listener once per day and kind when the credits are spent. */
  onSpent(listener: (of: Price['of']) => void): void;
}

/** Returns how the credits of a day are counted (server/budgets): their keys and limits. */
export const creditBudgets = (daily: number) => ({
  lists: { key: 'coinmarketcap lists', max: daily },
  coins: { key: 'coinmarketcap coins', max: Math.max(1, Math.floor(daily * COINS_PART)) },
});

/** Counts the provider's credits per UTC day in the database, shared by all processes. */
export function createCredits({ budgets, daily, clock }: { budgets: Budgets; daily: number; clock: Clock }): Credits {
  const parts = creditBudgets(daily);
  /** The day on which each kind ran out, so that a rejected call costs no query. */
  const spentOn: Partial<Record<Price['of'], number>> = {};
  let told: (of: Price['of']) => void = () => undefined;

  function spent(of: Price['of']): CreditsSpent {
    const day = Math.floor(clock() / DAY);
    if (spentOn[of] !== day) told(of);
    spentOn[of] = day;
    return new CreditsSpent('the credits of this day are spent', (day + 1) * DAY - clock());
  }

  return {
    onSpent(listener) {
      told = listener;
    },
    async pay({ of, credits }) {
      if (spentOn[of] === Math.floor(clock() / DAY)) throw spent(of);
      const take = (part: Price['of']) => budgets.take(parts[part].key, { max: parts[part].max, span: DAY }, credits);
      if (of === 'coins' && !(await take('coins'))) throw spent(of);
      // Single coins count against the whole day, too.
      if (!(await take('lists'))) throw spent(of);
    },
  };
}
