import type { PlanType } from '#contract/plan-types.ts';
import { PRODUCTS, type ProductId, productId, type Subscription } from '#contract/subscription.ts';
import { PLANS, planRank } from '#domain/plans/plans.ts';
import type { PricingAnchor } from '#domain/plans/pricing.ts';
import { formatDay } from '#domain/plans/renewal.ts';

/** What the hash of the address requests from the store. `end`: stops the renewal, in the store's settings. */
export type PurchaseRequest =
  | { kind: 'buy'; plan: PlanType; productId: ProductId; later: boolean; terms: string }
  | { kind: 'end' }
  | { kind: 'nothing' };

const ANCHORS: readonly string[] = ['#free', '#basic', '#pro', '#premium', '#cancel'] satisfies PricingAnchor[];

export const anchorOf = (hash: string): PricingAnchor | undefined => (ANCHORS.includes(hash) ? (hash as PricingAnchor) : undefined);

/** Returns the store's product of a plan. The Free plan has none. */
export const productOf = (plan: PlanType): ProductId | undefined => productId.options.find((id) => PRODUCTS[id] === plan);

const PLAN_OF = { '#basic': 'BASIC', '#pro': 'PRO', '#premium': 'PREMIUM', '#free': 'FREE', '#cancel': 'FREE' } as const;

/** Formats a price: `$24.99`. */
export const dollars = (price: number): string => `$${price.toFixed(2)}`;

/** Returns the request that an anchor means for a user with `subscription`. */
export function requestOf(anchor: PricingAnchor, subscription: Subscription): PurchaseRequest {
  const { planType: current, endDate } = subscription;
  const plan = PLAN_OF[anchor];
  const product = productOf(plan);
  if (!product || plan === current) return { kind: current === 'FREE' ? 'nothing' : 'end' };
  const price = `${dollars(PLANS[plan].price)} a month`;
  if (planRank(plan) < planRank(current)) {
    const from = endDate ? formatDay(endDate) : 'the end of the current period';
    const terms = `You keep ${PLANS[current].name} until ${from}. After that, ${PLANS[plan].name} costs ${price}. Nothing is charged today.`;
    return { kind: 'buy', plan, productId: product, later: true, terms };
  }
  const replaced = current === 'FREE' ? '' : ` It replaces ${PLANS[current].name} immediately.`;
  return { kind: 'buy', plan, productId: product, later: false, terms: `${price}, renewed every month until you cancel.${replaced}` };
}
