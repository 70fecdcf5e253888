import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { User } from '../../../../contract/account';
import type { ProfileUpdateBody } from '../../../../contract/profile';
import type { Subscription } from '../../../../contract/subscription';
import { COUNTRIES } from '../../../../domain/countries';
import type { Db, Tx } from '../../../db/open';
import { profilePictures, users } from '../../../db/schema';
import { badRequest, notFound } from '../../../http/errors';
import type { Subscriptions } from '../../subscriptions/service';
import type { ChangePassword } from '../password-change';
import { hashPassword } from '../passwords';
import { findUser, lockUser, type UserRow } from '../store';
import { readPicture } from './picture';

/** A change of a profile with the slow part done, ready for a transaction. */
export interface PreparedChange {
  fields: Partial<Pick<UserRow, 'firstName' | 'lastName' | 'country' | 'profileImage'>>;
  webp: Buffer | undefined;
  passwordHash: string | undefined;
}

export interface Profiles {
  /** 404 for a user who is gone. */
  read(userId: string): Promise<User>;
  /** Checks and prepares; 400 for a country or a picture that is none. */
  prepare(body: ProfileUpdateBody, picture: Buffer | undefined): Promise<PreparedChange>;
  /** Changes what was given, and nothing else. `tell` is due once that is committed. A new password keeps only `sessionId`. */
  change(tx: Tx, who: { userId: string; sessionId: string }, change: PreparedChange): Promise<{ user: User; tell: () => void }>;
  /** The user's picture and its version; null without one. */
  picture(userId: string): Promise<{ webp: Buffer; version: string } | null>;
}

export function createProfiles(options: {
  db: Db;
  changePassword: ChangePassword;
  subscriptions: Pick<Subscriptions, 'current' | 'of'>;
}): Profiles {
  const { db, changePassword, subscriptions } = options;
  return {
    async read(userId) {
      const user = await findUser(db, userId);
      if (!user) throw notFound();
      return profileOf(user, await subscriptions.current(userId));
    },

    async prepare(body, picture) {
      if (body.country !== undefined && !COUNTRIES.includes(body.country)) {
        throw badRequest('validation', UNKNOWN_COUNTRY, { fields: { country: UNKNOWN_COUNTRY } });
      }
      const webp = picture && (await readPicture(picture));
      return {
        fields: {
          ...(body.first_name !== undefined && { firstName: body.first_name }),
          ...(body.last_name !== undefined && { lastName: body.last_name }),
          ...(body.country !== undefined && { country: body.country }),
          ...(webp && { profileImage: createHash('sha256').update(webp).digest('base64url').slice(0, 22) }),
        },
        webp,
        passwordHash: body.password === undefined ? undefined : await hashPassword(body.password),
      };
    },

    async change(tx, { userId, sessionId }, { fields, webp, passwordHash }) {
      const user = await lockUser(tx, userId);
      if (!user) throw notFound();
      if (Object.keys(fields).length > 0) await tx.update(users).set(fields).where(eq(users.id, userId));
      if (webp) {
        await tx.insert(profilePictures).values({ userId, webp }).onConflictDoUpdate({ target: profilePictures.userId, set: { webp } });
      }
      const changed = { ...user, ...fields };
      const tell = passwordHash === undefined ? () => undefined : await changePassword(tx, changed, passwordHash, sessionId);
      return { user: profileOf(changed, await subscriptions.of(tx, userId)), tell };
    },

    async picture(userId) {
      const [found] = await db
        .select({ webp: profilePictures.webp, version: users.profileImage })
        .from(profilePictures)
        .innerJoin(users, eq(users.id, profilePictures.userId))
        .where(eq(profilePictures.userId, userId));
      return found?.version ? { webp: found.webp, version: found.version } : null;
    },
  };
}

const UNKNOWN_COUNTRY = 'Please choose a country from the list.';

/** A user as the contract shows one. */
function profileOf(user: UserRow, userSubscription: Subscription): User {
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    country: user.country,
    profile_image: user.profileImage && `/auth/user/${user.id}/picture?v=${user.profileImage}`,
    created_at: user.createdAt.toISOString(),
    userSubscription,
  };
}
