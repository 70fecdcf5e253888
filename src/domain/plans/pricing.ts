import { PLAN_TYPES, type PlanType } from '#contract/plan-types.ts';
import { PLANS, planRank, UNLIMITED } from './plans.ts';

/** Target of a button: the payment channel reads the hash. */
export type PricingAnchor = '#free' | '#basic' | '#pro' | '#premium' | '#cancel';

export interface PricingButton {
  label: string;
  /** USD per month, shown on the subscribe button. */
  price?: number;
  anchor: PricingAnchor;
}

const ANCHORS: Record<PlanType, PricingAnchor> = { FREE: '#free', BASIC: '#basic', PRO: '#pro', PREMIUM: '#premium' };

/** Returns the selection when the page opens. */
export const defaultSelection = (current: PlanType | undefined): PlanType =>
  current === 'PRO' || current === 'PREMIUM' ? 'PREMIUM' : 'PRO';

/** Returns the target of Upgrade for the selected plan. */
export function upgradeAnchor(selected: PlanType): PricingAnchor {
  if (selected === 'BASIC' || selected === 'PRO') return '#pro';
  return selected === 'PREMIUM' ? '#premium' : '#free';
}

/** Returns the target of Downgrade. Equal plans lead one step down. */
export function downgradeAnchor(current: PlanType, selected: PlanType): PricingAnchor {
  if (selected === 'BASIC') return current === 'BASIC' ? '#free' : '#basic';
  if (selected === 'PRO') return current === 'PRO' ? '#basic' : '#pro';
  return selected === 'PREMIUM' && current === 'PREMIUM' ? '#pro' : '#free';
}

/** Returns the buttons below the cards, the bigger change first. */
export function pricingButtons(current: PlanType, selected: PlanType): PricingButton[] {
  const cancel: PricingButton = { label: 'Cancel Subscription', anchor: '#cancel' };
  if (current === 'FREE') {
    return selected === 'FREE' ? [] : [{ label: 'Buy Now', price: PLANS[selected].price, anchor: ANCHORS[selected] }];
  }
  if (planRank(current) < planRank(selected)) return [{ label: 'Upgrade', anchor: upgradeAnchor(selected) }, cancel];
  return selected === 'FREE' ? [] : [{ label: 'Downgrade', anchor: downgradeAnchor(current, selected) }, cancel];
}

const amount = (count: number): string => (count === UNLIMITED ? 'Unlimited' : String(count));

/** What a month of each plan has, for a comparison: a label and one value per plan, from Free to Premium. */
export const PLAN_COMPARISON: readonly { label: string; values: readonly string[] }[] = [
  { label: 'General questions', values: PLAN_TYPES.map((plan) => amount(PLANS[plan].questions)) },
  { label: 'Chart analyses', values: PLAN_TYPES.map((plan) => amount(PLANS[plan].chartAnalyses)) },
  { label: 'Trading bot', values: ['First 30 days', 'First 30 days', 'First 30 days', 'Unlimited'] },
  { label: 'Priority support', values: ['No', 'No', 'No', 'Yes'] },
];

/** Returns the lines that describe a plan on every page. */
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
