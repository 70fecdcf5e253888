import * as z from 'zod/mini';
import { PRODUCTS, type ProductId, productId } from '#contract/subscription.ts';
import { planRank } from '#domain/plans/plans.ts';
import type { StoreState } from '../payments.ts';

const time = z.nullish(z.string());

/** Fields read from GET /v1/subscribers/{id}. */
export const customerAnswer = z.object({
  subscriber: z.object({
    entitlements: z.record(z.string(), z.object({ product_identifier: z.string(), expires_date: time, grace_period_expires_date: time })),
    subscriptions: z.record(
      z.string(),
      z.object({
        is_sandbox: z.boolean(),
        unsubscribe_detected_at: time,
        billing_issues_detected_at: time,
        refunded_at: time,
      }),
    ),
  }),
});

/**
 * Returns the customer's highest plan at `now`, ms. Ignores refunds, entitlements without a subscription and, unless
 * `sandbox` is set, sandbox purchases, which cost nothing.
 */
export function stateOf({ subscriber }: z.infer<typeof customerAnswer>, options: { now: number; sandbox: boolean }): StoreState | null {
  const held = Object.values(subscriber.entitlements).flatMap((entitlement): StoreState[] => {
    const product = z.safeParse(productId, entitlement.product_identifier);
    const subscription = subscriber.subscriptions[entitlement.product_identifier];
    if (!product.success || !subscription || subscription.refunded_at) return [];
    if (subscription.is_sandbox && !options.sandbox) return [];
    const endsAt = Math.max(moment(entitlement.expires_date), moment(entitlement.grace_period_expires_date));
    if (endsAt <= options.now) return [];
    const renews = !subscription.unsubscribe_detected_at && !subscription.billing_issues_detected_at;
    return [{ product: product.data, endsAt, renews, nextProduct: null }];
  });
  return held.sort((a, b) => rank(b.product) - rank(a.product) || b.endsAt - a.endsAt)[0] ?? null;
}

/** Returns ms UTC; an invalid time counts as long ago. */
const moment = (text: string | null | undefined): number => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? 0 : at;
};

const rank = (product: ProductId) => planRank(PRODUCTS[product]);
