import { transact } from '#client/platform/db/transact.ts';
import type { AttachmentRow, UserDb } from '#client/platform/db/user-db.ts';
import { previewPath } from '#contract/chat/chat-images.ts';
import { preparePicture } from './picture-prepare.ts';

/** File name for the upload; the server ignores it. */
const nameOf = (type: string) => (type === 'image/jpeg' ? 'picture.jpg' : 'picture.png');

/**
 * Prepares a file and stores it on the device until it is uploaded; its preview stays. Resolves with the picture's id.
 * Throws PictureProblem for an invalid picture, and the database's error if the device has no space.
 */
export async function attachPicture(db: UserDb, file: Blob, onStep: (done: number) => void): Promise<string> {
  const { preview, ...picture } = await preparePicture(file, onStep);
  const id = crypto.randomUUID();
  const row: AttachmentRow = { id, name: nameOf(picture.type), ...picture };
  await transact(db, [db.attachments, db.images], async (db) => {
    await db.attachments.add(row);
    await db.images.put({ path: previewPath(id), ...preview });
  });
  return id;
}
