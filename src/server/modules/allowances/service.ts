import type { PlanType } from '#contract/plan-types.ts';
import type { Subscription } from '#contract/subscription.ts';
import { type Clock, dayOf } from '#domain/clock.ts';
import { type AllowanceKind, FREE_PICTURES_A_DAY, leftOf, limitOf, monthOf } from '#domain/plans/allowance.ts';
import { PLANS, UNLIMITED } from '#domain/plans/plans.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { together } from '#server/db/together.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import { type Charge, countFree, countUsed, endFree, endReserved, insertReserved } from './store.ts';

/** Returns a user's plan. */
export type PlanOf = (db: Db, userId: string) => Promise<PlanType>;

type Left = Pick<Subscription, 'planType' | 'extraChatAnalysis' | 'extraQuestions'>;

const NAMES: Record<AllowanceKind, string> = { question: 'general questions', chart: 'chart analyses' };

export type Allowances = ReturnType<typeof createAllowances>;

/** Counts what users ask against their plan's monthly allowance (docs/decisions.md, Allowances). */
export function createAllowances({ clock, planOf }: { clock: Clock; planOf: PlanOf }) {
  /** Returns what a user has left of this plan this month. */
  async function leftOn(db: Db, userId: string, planType: PlanType): Promise<Left> {
    const used = await countUsed(db, userId, monthOf(clock()));
    const left = (kind: AllowanceKind) => leftOf(limitOf(PLANS[planType], kind), used[kind]);
    return { planType, extraChatAnalysis: left('chart'), extraQuestions: left('question') };
  }

  return {
    leftOn,

    /**
     * Reserves one unit; the transaction must lock the user. Throws 402 when none is left, and 404 for an id that was
     * charged before, because its message was deleted.
     */
    async reserve(tx: Tx, charge: Charge): Promise<void> {
      const now = clock();
      const month = monthOf(now);
      const [isNew, plan] = await together(insertReserved(tx, charge, month, new Date(now)), planOf(tx, charge.userId));
      if (!isNew) throw notFound('This message was deleted.');
      const limit = limitOf(PLANS[plan], charge.kind);
      const used = await countUsed(tx, charge.userId, month);
      if (limit === UNLIMITED || used[charge.kind] <= limit) return;
      throw new Problem(402, 'subscription-ended', `You have used all ${limit} ${NAMES[charge.kind]} of this month.`);
    },

    /** Charges what these questions reserved, because the analyst started to answer. */
    spend: (tx: Tx, userId: string, chatIds: readonly string[]): Promise<void> => endReserved(tx, userId, chatIds, 'spent'),

    /** Returns what these questions reserved, because they got no answer. */
    release: (tx: Tx, userId: string, chatIds: readonly string[]): Promise<void> => endReserved(tx, userId, chatIds, 'returned'),

    /** Returns how many pictures without a readable chart were free today (UTC); undefined on unlimited plans. Lock the user first. */
    async freePicturesUsed(tx: Tx, userId: string): Promise<number | undefined> {
      if (limitOf(PLANS[await planOf(tx, userId)], 'chart') === UNLIMITED) return undefined;
      return countFree(tx, userId, dayOf(clock()));
    },

    /** Settles a picture without a readable chart: free a few times a day, then charged. Lock the user first. */
    async endFreePicture(tx: Tx, userId: string, chatId: string): Promise<void> {
      const day = dayOf(clock());
      if ((await countFree(tx, userId, day)) < FREE_PICTURES_A_DAY) await endFree(tx, userId, chatId, day);
      else await endReserved(tx, userId, [chatId], 'spent');
    },

    /** Returns the user's plan and what is left of it this month. */
    leftOf: async (db: Db, userId: string): Promise<Left> => leftOn(db, userId, await planOf(db, userId)),
  };
}
