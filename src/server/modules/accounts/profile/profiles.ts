import { eq } from 'drizzle-orm';
import type { ProfileUpdateBody } from '#contract/account/profile.ts';
import type { User } from '#contract/account/user.ts';
import type { Subscription } from '#contract/subscription.ts';
import { COUNTRIES } from '#domain/countries.ts';
import type { AfterResponse } from '#server/after-response.ts';
import { readContent } from '#server/blobs/read-blob.ts';
import type { UserBlobs } from '#server/blobs/user-blobs.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { profilePictures, users } from '#server/db/schema/users.ts';
import { badRequest, notFound } from '#server/http/errors.ts';
import type { UploadedFile } from '#server/http/forms/uploads.ts';
import type { Subscriptions } from '#server/modules/subscriptions/service.ts';
import type { BlobRef } from '#server/ports/blobs/blob-store.ts';
import type { ChangePassword } from '../password-change.ts';
import { hashPassword } from '../passwords.ts';
import { findUser, lockUserRow, type UserRow } from '../store.ts';
import { readPicture } from './picture.ts';

/** A profile change whose slow part is done, ready for a transaction. */
export interface PreparedChange {
  fields: Partial<Pick<UserRow, 'firstName' | 'lastName' | 'country'>>;
  webp: Buffer | undefined;
  passwordHash: string | undefined;
}

export interface Profiles {
  /** Throws 404 when the user was deleted. */
  read(userId: string): Promise<User>;
  /** Validates a change. Throws 400 for an invalid country or picture. */
  prepare(body: ProfileUpdateBody, picture: UploadedFile | undefined): Promise<PreparedChange>;
  /** Stores the prepared picture, if any, and runs the change. */
  keepPicture<T>(prepared: PreparedChange, change: (picture: BlobRef | undefined) => Promise<T>): Promise<T>;
  /** Applies the given fields. Call `tell` after the commit. A new password keeps only `sessionId` signed in. */
  change(
    tx: Tx,
    who: { userId: string; sessionId: string },
    change: PreparedChange,
    picture: BlobRef | undefined,
  ): Promise<{ user: User; tell: () => void }>;
  /** Returns the user's picture and its version; null when there is none or the blob store lost it. */
  picture(userId: string): Promise<{ webp: Buffer; version: string } | null>;
}

export function createProfiles(options: {
  db: Db;
  changePassword: ChangePassword;
  subscriptions: Pick<Subscriptions, 'current' | 'of'>;
  blobs: UserBlobs;
  afterResponse: AfterResponse;
}): Profiles {
  const { db, changePassword, subscriptions, blobs, afterResponse } = options;
  return {
    async read(userId) {
      const user = await findUser(db, userId);
      if (!user) throw notFound();
      return profileOf(user, await subscriptions.current(userId), await blobs.usage(db, userId));
    },

    async prepare(body, picture) {
      if (body.country !== undefined && !COUNTRIES.includes(body.country)) {
        throw badRequest('validation', UNKNOWN_COUNTRY, { fields: { country: UNKNOWN_COUNTRY } });
      }
      const webp = picture && (await readPicture(body.user_id, picture.path));
      return {
        fields: {
          ...(body.first_name !== undefined && { firstName: body.first_name }),
          ...(body.last_name !== undefined && { lastName: body.last_name }),
          ...(body.country !== undefined && { country: body.country }),
        },
        webp,
        passwordHash: body.password === undefined ? undefined : await hashPassword(body.password),
      };
    },

    keepPicture: ({ webp }, change) => blobs.keep(webp ? [webp] : [], ([picture]) => change(picture)),

    async change(tx, { userId, sessionId }, { fields, passwordHash }, picture) {
      const user = await lockUserRow(tx, userId);
      if (!user) throw notFound();
      const replaced = picture && (await replacePicture(tx, userId, picture));
      const values = { ...fields, ...(picture && { profileImage: picture.hash.slice(0, 22) }) };
      if (Object.keys(values).length > 0) await tx.update(users).set(values).where(eq(users.id, userId));
      const changed = { ...user, ...values };
      const tellPassword = passwordHash === undefined ? () => undefined : await changePassword(tx, changed, passwordHash, sessionId);
      const tell = () => {
        tellPassword();
        if (replaced) afterResponse.run(() => blobs.removeUnnamed([replaced]));
      };
      return { user: profileOf(changed, await subscriptions.of(tx, userId), await blobs.usage(tx, userId)), tell };
    },

    async picture(userId) {
      const { hash, size, webp: bytes } = profilePictures;
      const [found] = await db
        .select({ hash, size, bytes, version: users.profileImage })
        .from(profilePictures)
        .innerJoin(users, eq(users.id, profilePictures.userId))
        .where(eq(profilePictures.userId, userId));
      const webp = found && (await readContent(blobs.store, found));
      return webp && found.version ? { webp, version: found.version } : null;
    },
  };

  /** Returns the hash of the previous picture. */
  async function replacePicture(tx: Tx, userId: string, picture: BlobRef): Promise<string | null | undefined> {
    const [old] = await tx.delete(profilePictures).where(eq(profilePictures.userId, userId)).returning({ hash: profilePictures.hash });
    await blobs.claim(tx, userId, [picture]);
    await tx.insert(profilePictures).values({ userId, ...picture });
    return old?.hash;
  }
}

const UNKNOWN_COUNTRY = 'Please choose a country from the list.';

/** Maps a row to the contract's user. */
function profileOf(user: UserRow, userSubscription: Subscription, pictures: User['pictures']): User {
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    country: user.country,
    profile_image: user.profileImage && `/auth/user/${user.id}/picture?v=${user.profileImage}`,
    created_at: user.createdAt.toISOString(),
    userSubscription,
    pictures,
  };
}
