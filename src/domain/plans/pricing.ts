import type { PlanType } from '#contract/subscription.ts';
import { PLANS, planRank } from './plans.ts';

/** Where a button leads: the hash asks the payment channel (docs/decisions.md, Payments). */
export type PricingAnchor = '#free' | '#basic' | '#pro' | '#premium' | '#cancel';

export interface PricingButton {
  label: string;
  /** USD a month, shown on the button that subscribes. */
  price?: number;
  anchor: PricingAnchor;
}

const ANCHORS: Record<PlanType, PricingAnchor> = { FREE: '#free', BASIC: '#basic', PRO: '#pro', PREMIUM: '#premium' };

/** What is selected when the page opens (spec §4). */
export const defaultSelection = (current: PlanType | undefined): PlanType =>
  current === 'PRO' || current === 'PREMIUM' ? 'PREMIUM' : 'PRO';

/** Target of Upgrade by the selected plan (spec §4). */
export function upgradeAnchor(selected: PlanType): PricingAnchor {
  if (selected === 'BASIC' || selected === 'PRO') return '#pro';
  return selected === 'PREMIUM' ? '#premium' : '#free';
}

/** Target of Downgrade by current and selected plan: a step down where both are the same (spec §4). */
export function downgradeAnchor(current: PlanType, selected: PlanType): PricingAnchor {
  if (selected === 'BASIC') return current === 'BASIC' ? '#free' : '#basic';
  if (selected === 'PRO') return current === 'PRO' ? '#basic' : '#pro';
  return selected === 'PREMIUM' && current === 'PREMIUM' ? '#pro' : '#free';
}

/** The buttons under the cards for a current and a selected plan (spec §4), the one that changes more first. */
export function pricingButtons(current: PlanType, selected: PlanType): PricingButton[] {
  const cancel: PricingButton = { label: 'Cancel Subscription', anchor: '#cancel' };
  if (current === 'FREE') {
    return selected === 'FREE' ? [] : [{ label: 'Buy Now', price: PLANS[selected].price, anchor: ANCHORS[selected] }];
  }
  if (planRank(current) < planRank(selected)) return [{ label: 'Upgrade', anchor: upgradeAnchor(selected) }, cancel];
  return selected === 'FREE' ? [] : [{ label: 'Downgrade', anchor: downgradeAnchor(current, selected) }, cancel];
}

/** What a plan holds, a line each (spec §6, limits from the one table of plans): every page that tells it takes it from here. */
export function planFeatures(plan: PlanType): string[] {
  const { questions, chartAnalyses } = PLANS[plan];
  switch (plan) {
    case 'FREE':
      return [
        'Basic chatbot only',
        `Up to ${questions} general questions and ${chartAnalyses} chart analysis`,
        'Trading bot for 30 days (new users)',
      ];
    case 'BASIC':
      return ['Text-based analysis and limited chart analysis', `Up to ${chartAnalyses} chart analysis and ${questions} general questions`];
    case 'PRO':
      return ['Same access as Basic', `Up to ${chartAnalyses} chart analysis and ${questions} general questions`];
    case 'PREMIUM':
      return ['Unlimited chart analysis', 'Unlimited general questions', 'Unlimited trading bot', 'Priority support'];
  }
}
