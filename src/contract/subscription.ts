import * as z from 'zod/mini';

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
});
export type Subscription = z.infer<typeof subscription>;
