import type { Subscription } from '#contract/subscription.ts';
import { PLANS } from './plans.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const ordinal = (day: number): string => {
  const teen = day > 10 && day < 14;
  return `${day}${(!teen && ['st', 'nd', 'rd'][(day % 10) - 1]) || 'th'}`;
};

/** Returns `5th Mar 2025`: the day in UTC, like the months of allowances. `time` is ISO 8601 or ms. */
export function formatDay(time: string | number): string {
  const at = new Date(time);
  return `${ordinal(at.getUTCDate())} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** Returns the line about automatic renewal. */
export const renewalLine = ({ activeAutoRenewal, endDate }: Subscription): string =>
  activeAutoRenewal && endDate ? `Plan renew at ${formatDay(endDate)}` : "This plan isn't auto renewable";

/** Returns the line about a different next plan: `Pro until 5th Mar 2025, then Basic.` */
export function nextLine({ planType, endDate, nextPlan, activeAutoRenewal }: Subscription): string | undefined {
  if (!endDate) return undefined;
  const next = nextPlan ?? (activeAutoRenewal ? planType : 'FREE');
  return next === planType ? undefined : `${PLANS[planType].name} until ${formatDay(endDate)}, then ${PLANS[next].name}.`;
}
