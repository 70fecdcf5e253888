import { type FormEvent, useRef } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { askQuestion } from '../ask/ask-question.ts';
import { sendSoon } from '../ask/send-questions.ts';
import type { LocalMessage } from '../conversation/conversation.ts';
import { forgetDraft, wasSaved } from './drafts.ts';
import { stopEditing } from './edit-message.ts';
import type { ComposerForm } from './use-composer-form.ts';

interface Asking {
  db: UserDb;
  userId: string;
  archiveId: string | undefined;
  /** Called with a new question before it is stored, and with undefined if that fails. */
  onAsking: (question: LocalMessage | undefined) => void;
  /** Called once a question is stored. */
  onAsked: (archiveId: string) => void;
}

/**
 * Returns the composer's submit handler, which stores a question once, however often the user taps until it is stored. A
 * new question leaves the composer at once, and comes back if it cannot be stored.
 */
export function useSendOnce(
  form: ComposerForm,
  { db, userId, archiveId, onAsking, onAsked }: Asking,
): (event?: FormEvent) => Promise<void> {
  const { draftKey, editing, imageId, picture, showError } = form;
  const isBusy = useRef(false);

  const send = form.handleSubmit(async ({ message }) => {
    if (picture.done !== undefined) return showError('The picture is not ready yet.');
    const draft = { key: draftKey, wasSaved: wasSaved(db, draftKey) };
    const asked = { userId, archiveId, text: message, imageId, replaces: editing ?? null, draft };
    try {
      const storing = askQuestion(db, asked, { onAsking });
      if (!editing) form.clear(message);
      const archive = await storing;
      await forgetDraft(db, draftKey);
      if (editing && archiveId) await stopEditing(db, archiveId);
      else form.keepRest(archive);
      sendSoon();
      onAsked(archive);
    } catch (error) {
      console.error('storing the question failed', error);
      if (!editing) {
        onAsking(undefined);
        form.putBack(message, imageId);
      }
      showError('Your question could not be stored on this device. Free some space and try again.');
    }
  });

  return async (event) => {
    event?.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await send(event);
    } finally {
      isBusy.current = false;
    }
  };
}
