import { type Clock, DAY } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { TryLater } from '../last-good.ts';

/** Part of the day's credits that single coins may use, so that lists never starve for them. */
const COINS_PART = 0.2;

/** What a call is expected to cost, and whether it asks for lists or for single coins. */
export interface Price {
  of: 'lists' | 'coins';
  credits: number;
}

/** The credits of this UTC day are spent; the next ones come at midnight. */
export class CreditsSpent extends TryLater {}

export interface Credits {
  /** Takes what a call costs. Throws `CreditsSpent` where the day has not enough left. */
  pay(price: Price): Promise<void>;
  /** Told once a day and kind of call that the credits are spent. */
  onSpent(listener: (of: Price['of']) => void): void;
}

/** Counts the provider's credits in the database, for all processes together, by UTC days. */
export function createCredits({ budgets, daily, clock }: { budgets: Budgets; daily: number; clock: Clock }): Credits {
  const parts = { lists: daily, coins: Math.max(1, Math.floor(daily * COINS_PART)) };
  /** The day in which each kind was found spent, so that a refusal costs no query. */
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
      const take = (part: Price['of']) => budgets.take(`coinmarketcap ${part}`, { max: parts[part], span: DAY }, credits);
      if (of === 'coins' && !(await take('coins'))) throw spent(of);
      // Everything counts against the whole day.
      if (!(await take('lists'))) throw spent(of);
    },
  };
}
