import { PRODUCTS, type ProductId } from '#contract/subscription.ts';
import { planRank } from '#domain/plans/plans.ts';
import type { StoreChange, StoreState } from '../payments.ts';

/** Returns the time one calendar month after `at`, ms UTC, or the last day of a shorter month. */
export function monthAfter(at: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + 1);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

/** Returns the state at `now`. Ended periods were renewed unless the customer canceled. */
export function carriedOn(state: StoreState, now: number): StoreState {
  let { product, nextProduct, endsAt } = state;
  while (state.renews && endsAt <= now) {
    product = nextProduct ?? product;
    nextProduct = null;
    endsAt = monthAfter(endsAt);
  }
  return { product, nextProduct, endsAt, renews: state.renews };
}

/** Applies a purchase: a higher plan starts at once, a lower one when the paid period ends. */
export function purchased(held: StoreState | null, product: ProductId, now: number): StoreState {
  if (!held || held.endsAt <= now || rank(product) > rank(held.product)) {
    return { product, endsAt: monthAfter(now), renews: true, nextProduct: null };
  }
  return { ...held, renews: true, nextProduct: product === held.product ? null : product };
}

/** Applies a change in the store's settings; returns null when there is no subscription to change. */
export function changed(held: StoreState | null, change: StoreChange, now: number): StoreState | null {
  if (!held || held.endsAt <= now) return null;
  switch (change) {
    case 'cancel':
      return { ...held, renews: false, nextProduct: null };
    case 'resume':
      return { ...held, renews: true };
    case 'renew':
      return held.renews ? carriedOn(held, held.endsAt) : null;
    case 'expire':
      return { ...held, endsAt: now, renews: false, nextProduct: null };
  }
}

const rank = (product: ProductId) => planRank(PRODUCTS[product]);
