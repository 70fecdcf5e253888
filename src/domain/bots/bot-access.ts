import type { User } from '#contract/account/user.ts';
import type { Subscription } from '#contract/subscription.ts';
import { DAY } from '../clock.ts';
import { planRank } from '../plans/plans.ts';

const PREMIUM_RANK = 4;
const TRIAL_DAYS = 30;
/** End of the grace period. The rule depends on the date alone. */
const GRACE_END = Date.UTC(2025, 7, 1);

export type BotAccess =
  | { allowed: true; reason: 'premium' | 'grace_period' | 'new_user'; daysRemaining?: number }
  | { allowed: false; message: string };

/** Returns whether a user may use trading bots, and why. `now` in ms UTC. */
export function botAccess(
  user: (Pick<User, 'created_at'> & { userSubscription: Pick<Subscription, 'planType'> }) | undefined,
  now: number,
): BotAccess {
  if (!user) return { allowed: false, message: 'User data not available' };
  if (planRank(user.userSubscription.planType) === PREMIUM_RANK) return { allowed: true, reason: 'premium' };
  if (now < GRACE_END) return { allowed: true, reason: 'grace_period', daysRemaining: Math.ceil((GRACE_END - now) / DAY) };
  const trialLeft = Date.parse(user.created_at) + TRIAL_DAYS * DAY - now;
  if (trialLeft >= 0) return { allowed: true, reason: 'new_user', daysRemaining: Math.ceil(trialLeft / DAY) };
  return { allowed: false, message: 'Trading bot access requires Premium subscription or account must be less than 30 days old' };
}
