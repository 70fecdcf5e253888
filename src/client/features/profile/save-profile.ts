import { upload } from '#client/platform/api/upload.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { keepPicture } from '#client/platform/session/profile-picture.ts';
import { withProof } from '#client/platform/session/re-authentication.ts';
import { type User, userAnswer } from '#contract/account/user.ts';
import type { Changes } from './changes.ts';

/** Sends the changes and stores the user that the server returns. `onProgress`: 0 to 1. Throws like `send`. */
export async function saveProfile({ form, photo }: Changes, userId: string, onProgress: (sent: number) => void): Promise<User> {
  const key = crypto.randomUUID();
  const send = () => upload(`/auth/user/${userId}/`, { method: 'PATCH', form, answer: userAnswer, key, onProgress });
  const { data } = await withProof(send);
  const db = userDb(userId);
  // The server returns the same picture, so it need not be fetched.
  if (photo && data.profile_image) await keepPicture(db, { path: data.profile_image, type: photo.type, bytes: await photo.arrayBuffer() });
  await db.profile.put(data);
  return data;
}
