import type { AttachmentRow, UserDb } from '#client/platform/db/user-db.ts';
import { previewPath } from '#contract/chat/chat-images.ts';
import { preparePicture } from './picture-prepare.ts';

/** The names that a file may have on its way; the server gives it none. */
const nameOf = (type: string) => (type === 'image/jpeg' ? 'picture.jpg' : 'picture.png');

/**
 * Makes a file ready and keeps it on the device until the server has it, its small copy beyond that. Resolves with its
 * id. Throws PictureProblem for what is no picture, and whatever the device throws when it has no room.
 */
export async function attachPicture(db: UserDb, file: Blob, onStep: (done: number) => void): Promise<string> {
  const { preview, ...picture } = await preparePicture(file, onStep);
  const id = crypto.randomUUID();
  const row: AttachmentRow = { id, name: nameOf(picture.type), ...picture };
  await db.transaction('rw', db.attachments, db.images, async () => {
    await db.attachments.add(row);
    await db.images.put({ path: previewPath(id), ...preview });
  });
  return id;
}
