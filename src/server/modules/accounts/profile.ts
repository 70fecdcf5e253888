import type { User } from '../../../contract/account';
import { PLANS } from '../../../domain/plans';
import type { UserRow } from './store';

/** A user as the contract shows one. Everybody is on the Free plan, with the whole month's allowance. */
export function profileOf(user: UserRow): User {
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    country: user.country,
    profile_image: user.profileImage,
    created_at: user.createdAt.toISOString(),
    userSubscription: { planType: 'FREE', extraChatAnalysis: PLANS.FREE.chartAnalyses, activeAutoRenewal: false, endDate: null },
  };
}
