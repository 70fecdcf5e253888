import { type User, userAnswer } from '../../../contract/account';
import { upload } from '../../platform/api/upload';
import { userDb } from '../../platform/db/user-db';
import { keepPicture } from '../../platform/session/profile-picture';
import { withProof } from '../../platform/session/proof';
import type { Changes } from './changes';

/** Sends the changes and keeps the user as the server has it now. `onProgress`: 0 to 1. Throws as `send`. */
export async function saveProfile({ form, photo }: Changes, userId: string, onProgress: (sent: number) => void): Promise<User> {
  const key = crypto.randomUUID();
  const send = () => upload(`/auth/user/${userId}/`, { method: 'PATCH', form, answer: userAnswer, key, onProgress });
  const { data } = await withProof(send);
  const db = userDb(userId);
  // What was sent is what would be fetched.
  if (photo && data.profile_image) await keepPicture(db, { path: data.profile_image, type: photo.type, bytes: await photo.arrayBuffer() });
  await db.profile.put(data);
  return data;
}
