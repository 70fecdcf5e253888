import type { Subscription } from '#contract/subscription.ts';
import { PLANS } from './plans.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const ordinal = (day: number): string => {
  const teen = day > 10 && day < 14;
  return `${day}${(!teen && ['st', 'nd', 'rd'][(day % 10) - 1]) || 'th'}`;
};

/** `5th Mar 2025` (spec §4): the day in UTC, as months of allowances are. `time` is ISO 8601 or ms. */
export function formatDay(time: string | number): string {
  const at = new Date(time);
  return `${ordinal(at.getUTCDate())} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** Whether the plan goes on by itself, to the letter (spec §4). */
export const renewalLine = ({ activeAutoRenewal, endDate }: Subscription): string =>
  activeAutoRenewal && endDate ? `Plan renew at ${formatDay(endDate)}` : "This plan isn't auto renewable";

/** What comes after the running period where that is another plan: `Pro until 5th Mar 2025, then Basic.` */
export function nextLine({ planType, endDate, nextPlan, activeAutoRenewal }: Subscription): string | undefined {
  if (!endDate) return undefined;
  const next = nextPlan ?? (activeAutoRenewal ? planType : 'FREE');
  return next === planType ? undefined : `${PLANS[planType].name} until ${formatDay(endDate)}, then ${PLANS[next].name}.`;
}
