import type { User } from '#contract/account/user.ts';
import { call } from '../api/call.ts';
import type { Ahead } from '../cache/read-ahead.ts';
import { load, type Resource } from '../cache/resource.ts';
import { type ResourceState, resourceAhead, useResource } from '../cache/use-resource.ts';
import type { UserDb } from '../db/user-db.ts';
import { useClaims } from './use-session.ts';

interface ProfileParams {
  userId: string;
}

const answer = () => import('#contract/account/user.ts').then(({ userAnswer }) => userAnswer);

const profile: Resource<ProfileParams, User, User> = {
  key: ({ userId }) => `profile/${userId}`,
  fetch: async ({ userId }) => (await call(`/auth/user/${userId}/`, { answer })).data,
  show: (user) => user,
  write: async (db, _params, user) => {
    await db.profile.put(user);
  },
  read: (db, { userId }) => db.profile.get(userId),
};

/** Returns the query of `useProfile`, for the first render of a page. */
export const profileAhead = (userId: string): Ahead => resourceAhead(profile, { userId });

/** Returns the signed-in user's profile, from the device at once and then from the server. */
export function useProfile(): ResourceState<User> {
  return useResource(profile, { userId: useClaims().sub });
}

/** Refetches the profile. If that fails, the stored profile stays. */
export const refreshProfile = (db: UserDb, userId: string): Promise<unknown> => load(db, profile, { userId }).catch(() => undefined);
