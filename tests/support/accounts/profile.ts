import type { User } from '#contract/account/user.ts';

interface Changes extends Partial<Omit<User, 'userSubscription'>> {
  userSubscription?: Partial<User['userSubscription']>;
}

/** Creates the profile of the user of `makeTokens`, on the Free plan. */
export const profileOf = ({ userSubscription, ...changes }: Changes = {}): User => ({
  id: 'user-1',
  first_name: 'Ada',
  last_name: 'King',
  email: 'ada@example.com',
  country: '',
  profile_image: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...changes,
  userSubscription: { planType: 'FREE', extraChatAnalysis: 3, activeAutoRenewal: false, endDate: null, ...userSubscription },
});
