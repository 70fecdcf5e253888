import * as z from 'zod/mini';
import { answer, messageAnswer } from './envelope.ts';
import { atMost, idText } from './text.ts';

/** Ascending (spec §3); `domain/plans` numbers and describes them. */
export const PLAN_TYPES = ['FREE', 'BASIC', 'PRO', 'PREMIUM'] as const;
export const planType = z.enum(PLAN_TYPES);
export type PlanType = z.infer<typeof planType>;

export const subscription = z.object({
  planType,
  /** Chart analyses left this calendar month (UTC), without those that wait for their answer; -1 means without limit. */
  extraChatAnalysis: z.number(),
  /** General questions left this month; -1 means without limit. Unknown to devices that were offline since before it was. */
  extraQuestions: z.optional(z.number()),
  activeAutoRenewal: z.boolean(),
  /** ISO 8601, UTC; null on the Free plan, which has no end. */
  endDate: z.nullable(z.string()),
  /** What the plan becomes at `endDate`: a lower one that was chosen, FREE after a cancellation, null as it is. */
  nextPlan: z.optional(z.nullable(planType)),
  /** Who this user is to the payment channel: the only `appUserId` that POST /buy-subscription takes of them. */
  appUserId: z.optional(z.string()),
});
export type Subscription = z.infer<typeof subscription>;

/** The plans that cost something, by the product identifiers of the payment channel (docs/decisions.md, Payments). */
export const PRODUCTS = { basic_monthly: 'BASIC', pro_monthly: 'PRO', premium_monthly: 'PREMIUM' } as const satisfies Record<
  string,
  PlanType
>;
export const productId = z.enum(['basic_monthly', 'pro_monthly', 'premium_monthly']);
export type ProductId = z.infer<typeof productId>;

/**
 * POST /buy-subscription (spec §7). What is granted is what the server finds when it verifies, never what is asked
 * for here. `receipt` is the test store's signed purchase; a real store is asked itself.
 */
export const buySubscriptionBody = z.object({
  userId: idText,
  planType,
  appUserId: z.string().check(atMost(128)),
  receipt: z.optional(z.string().check(atMost(4096))),
});
export type BuySubscriptionBody = z.infer<typeof buySubscriptionBody>;
export const subscriptionAnswer = answer(subscription);

/** What the native shell, or the test store in its place, says of a purchase. Nothing else is listened to. */
export const purchaseMessage = z.object({
  type: z.literal('purchase'),
  productId,
  appUserId: z.string().check(atMost(128)),
  receipt: z.optional(z.string().check(atMost(4096))),
});
export type PurchaseMessage = z.infer<typeof purchaseMessage>;

/** POST /test-store/purchases: the test store's own part, where it is open. `outcome` lets a test store fail as real ones do. */
export const testPurchaseBody = z.object({ productId, outcome: z.enum(['paid', 'declined']) });
export const testPurchaseAnswer = answer(z.object({ receipt: z.string() }));

/**
 * POST /test-store/changes: what a person does in their store's settings. `renew` is a period that ends and is paid,
 * `expire` one that ends and is not.
 */
export const testChangeBody = z.object({ change: z.enum(['cancel', 'resume', 'renew', 'expire']) });
export const testChangeAnswer = messageAnswer;
