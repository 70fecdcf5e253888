import * as z from 'zod/mini';
import { answer, messageAnswer } from './envelope.ts';
import { PLAN_TYPES, type PlanType } from './plan-types.ts';
import { atMost, idText } from './text.ts';

export const planType = z.enum(PLAN_TYPES);

export const subscription = z.object({
  planType,
  /** Chart analyses left this calendar month (UTC), without pending ones. -1 means unlimited. */
  extraChatAnalysis: z.number(),
  /** General questions left this month, -1 means unlimited. Optional, because rows stored by earlier versions lack it. */
  extraQuestions: z.optional(z.number()),
  activeAutoRenewal: z.boolean(),
  /** ISO 8601, UTC. Null on the Free plan, which doesn't end. */
  endDate: z.nullable(z.string()),
  /** The plan after `endDate`: a chosen lower one, FREE after a cancellation, null for no change. */
  nextPlan: z.optional(z.nullable(planType)),
  /** The user's id at the payment channel: the only `appUserId` that POST /buy-subscription accepts from them. */
  appUserId: z.optional(z.string()),
});
export type Subscription = z.infer<typeof subscription>;

/** Paid plans by the payment channel's product ids. */
export const PRODUCTS = { basic_monthly: 'BASIC', pro_monthly: 'PRO', premium_monthly: 'PREMIUM' } as const satisfies Record<
  string,
  PlanType
>;
export const productId = z.enum(['basic_monthly', 'pro_monthly', 'premium_monthly']);
export type ProductId = z.infer<typeof productId>;

/**
 * POST /buy-subscription. The server grants what it verifies, not what this requests. `receipt` is the test store's signed purchase;
 * the server asks a real store itself.
 */
export const buySubscriptionBody = z.object({
  userId: idText,
  planType,
  appUserId: z.string().check(atMost(128)),
  receipt: z.optional(z.string().check(atMost(4096))),
});
export type BuySubscriptionBody = z.infer<typeof buySubscriptionBody>;
export const subscriptionAnswer = answer(subscription);

/** Purchase message of the native shell or of the test store. The app ignores all others. */
export const purchaseMessage = z.object({
  type: z.literal('purchase'),
  productId,
  appUserId: z.string().check(atMost(128)),
  receipt: z.optional(z.string().check(atMost(4096))),
});
export type PurchaseMessage = z.infer<typeof purchaseMessage>;

/** POST /test-store/purchases, only with the test store. `outcome` simulates a real store's failures. */
export const testPurchaseBody = z.object({ productId, outcome: z.enum(['paid', 'declined']) });
export const testPurchaseAnswer = answer(z.object({ receipt: z.string() }));

/** POST /test-store/changes: what users do in their store's settings. `renew` ends a period and pays the next, `expire` ends it unpaid. */
export const testChangeBody = z.object({ change: z.enum(['cancel', 'resume', 'renew', 'expire']) });
export const testChangeAnswer = messageAnswer;
