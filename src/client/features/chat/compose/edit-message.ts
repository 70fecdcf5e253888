import { createValue } from '#client/platform/create-value.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { useValue } from '#client/platform/use-value.ts';
import type { Message } from '#contract/chat/chat.ts';
import { imageIdOf } from '#contract/chat/chat-images.ts';
import { editKey, forgetDraft, readDraft, writeDraft } from './drafts.ts';

interface Edit {
  /** Id of the edited message. */
  id: string;
  /** It began on an earlier visit. */
  isResumed: boolean;
}

/** By `database/conversation`. */
const editing = createValue<ReadonlyMap<string, Edit>>(new Map());

const nameOf = (db: UserDb, archiveId: string) => `${db.name}/${archiveId}`;

function set(db: UserDb, archiveId: string, edit: Edit | undefined) {
  const next = new Map(editing.get());
  if (edit === undefined) next.delete(nameOf(db, archiveId));
  else next.set(nameOf(db, archiveId), edit);
  editing.set(next);
}

/** Loads a message and its picture into the composer. The next question's draft returns after the edit. */
export function startEditing(db: UserDb, { id, archive_id, user_message, chat_image }: Message): void {
  writeDraft(db, editKey(archive_id), { text: user_message, imageId: imageIdOf(chat_image), editing: id });
  set(db, archive_id, { id, isResumed: false });
}

/** Ends an edit that was sent or canceled. */
export async function stopEditing(db: UserDb, archiveId: string): Promise<void> {
  const forgotten = forgetDraft(db, editKey(archiveId));
  set(db, archiveId, undefined);
  await forgotten;
}

/** Resumes an edit from an earlier visit. */
export async function resumeEditing(db: UserDb, archiveId: string): Promise<void> {
  const { editing: id } = await readDraft(db, editKey(archiveId));
  if (id === null || !(await db.messages.get(id)) || editing.get().has(nameOf(db, archiveId))) return;
  set(db, archiveId, { id, isResumed: true });
}

/** Returns the edit of a conversation. */
export function useEdit(db: UserDb, archiveId: string | undefined): Edit | undefined {
  const edits = useValue(editing);
  return archiveId === undefined ? undefined : edits.get(nameOf(db, archiveId));
}

/** Returns the id of the message that the user is editing in a conversation. */
export const useEditing = (db: UserDb, archiveId: string | undefined): string | undefined => useEdit(db, archiveId)?.id;
