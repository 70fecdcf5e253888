import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { deleteWithScreens } from '#client/platform/first-screen/stored-screens.ts';
import { ARCHIVES, type ArchiveEdit, replaceArchiveEdit, unsentArchiveEdits } from '#client/platform/outbox/archives.ts';
import { QUESTIONS, unsentQuestions } from '#client/platform/outbox/questions.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { imageIdOf, imagePath, previewPath } from '#contract/chat/chat-images.ts';
import { dropPins, withPins } from './pins.ts';

/** Renames a conversation. Shows at once, and is queued for the server. */
export async function renameArchive(db: UserDb, archiveId: string, title: string): Promise<void> {
  await transact(db, [db.archives, db.outbox], async (db) => {
    await db.archives.update(archiveId, { archive_title: title });
    await replaceArchiveEdit(db, { archiveId, title });
  });
  sendSoon(ARCHIVES);
}

/** Deletes a conversation with its messages and queued questions. Takes effect at once, and is queued for the server. */
export async function deleteArchive(db: UserDb, archiveId: string): Promise<void> {
  const tables = [db.archives, db.messages, db.stamps, db.drafts, db.attachments, db.images, db.outbox];
  const deleteRows = async (db: UserTables) => {
    await forget(db, [archiveId]);
    const unsent = (await unsentQuestions(db)).filter(({ body }) => body.message.archive_id === archiveId);
    await db.outbox
      .where('id')
      .anyOf(unsent.map(({ id }) => id))
      .filter(({ lane }) => lane === QUESTIONS)
      .delete();
    await dropPins(db, archiveId);
    await replaceArchiveEdit(db, { archiveId, title: null });
  };
  await deleteWithScreens(() => transact(db, tables, deleteRows));
  sendSoon(ARCHIVES);
}

/** Deletes conversations from the device, with their pictures and drafts. */
export async function forget(db: UserTables, archiveIds: string[]): Promise<void> {
  if (archiveIds.length === 0) return;
  const messages = await db.messages.where('archive_id').anyOf(archiveIds).toArray();
  // Draft keys are the conversation's id, or a prefix and that id for an edit.
  const drafts = await db.drafts.filter(({ key }) => archiveIds.includes(key.split('/').at(-1) ?? '')).toArray();
  const pictures = [...messages.map(({ chat_image }) => imageIdOf(chat_image)), ...drafts.map(({ imageId }) => imageId)].filter(
    (id) => id !== null,
  );
  await db.attachments.bulkDelete(pictures);
  await db.images.bulkDelete(pictures.flatMap((id) => [imagePath(id), previewPath(id)]));
  await db.drafts.bulkDelete(drafts.map(({ key }) => key));
  await db.messages.bulkDelete(messages.map(({ id }) => id));
  await db.archives.bulkDelete(archiveIds);
  await db.stamps.bulkDelete(archiveIds.map((id) => `chats/${id}`));
}

/** Applies queued edits to the server's rows. */
export async function withEdits(db: UserTables, listed: Archive[]): Promise<Archive[]> {
  const edits = new Map((await unsentArchiveEdits(db)).map(({ body }) => [body.archiveId, body.title]));
  const kept = listed
    .filter(({ id }) => edits.get(id) !== null)
    .map((archive) => ({ ...archive, archive_title: edits.get(archive.id) ?? archive.archive_title }));
  return withPins(db, kept);
}

/** Whether a conversation has queued edits. */
export const isEdited = async (db: UserTables, archiveId: string): Promise<boolean> =>
  (await unsentArchiveEdits(db)).some(({ body }) => body.archiveId === archiveId);

/** Reverts an edit that the server refused. */
export async function dropEdit(db: UserDb, archiveId: string): Promise<void> {
  await db.outbox
    .where('lane')
    .equals(ARCHIVES)
    .filter(({ body, state }) => state === 'parked' && (body as ArchiveEdit).archiveId === archiveId)
    .delete();
}
