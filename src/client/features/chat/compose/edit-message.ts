import { useSyncExternalStore } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Message } from '#contract/chat/chat.ts';
import { imageIdOf } from '#contract/chat/chat-images.ts';
import { editKey, forgetDraft, readDraft, writeDraft } from './drafts.ts';

/** The message that is being edited, by `database/conversation`. */
const editing = new Map<string, string>();
const listeners = new Set<() => void>();

const nameOf = (db: UserDb, archiveId: string) => `${db.name}/${archiveId}`;

function set(db: UserDb, archiveId: string, messageId: string | undefined) {
  if (messageId === undefined) editing.delete(nameOf(db, archiveId));
  else editing.set(nameOf(db, archiveId), messageId);
  for (const listener of [...listeners]) listener();
}

/** Loads a message, with its picture, into the composer (spec §4). What was typed there comes back afterwards. */
export function startEditing(db: UserDb, { id, archive_id, user_message, chat_image }: Message): void {
  writeDraft(db, editKey(archive_id), { text: user_message, imageId: imageIdOf(chat_image), editing: id });
  set(db, archive_id, id);
}

/** The edit was sent, or is not wanted any more. */
export async function stopEditing(db: UserDb, archiveId: string): Promise<void> {
  const forgotten = forgetDraft(db, editKey(archiveId));
  set(db, archiveId, undefined);
  await forgotten;
}

/** Takes an edit up again that was begun before this page was opened. */
export async function resumeEditing(db: UserDb, archiveId: string): Promise<void> {
  const { editing: id } = await readDraft(db, editKey(archiveId));
  if (id !== null && (await db.messages.get(id))) set(db, archiveId, id);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The id of the message that is being edited in a conversation. */
export const useEditing = (db: UserDb, archiveId: string | undefined): string | undefined =>
  useSyncExternalStore(subscribe, () => (archiveId === undefined ? undefined : editing.get(nameOf(db, archiveId))));
