import { type FormEvent, useRef } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { askQuestion } from '../ask/ask-question.ts';
import { sendSoon } from '../ask/send-questions.ts';
import { forgetDraft } from './drafts.ts';
import { stopEditing } from './edit-message.ts';
import type { ComposerForm } from './use-composer-form.ts';

interface Asking {
  db: UserDb;
  userId: string;
  archiveId: string | undefined;
  onAsked: (archiveId: string) => void;
}

/** Returns the composer's submit handler, which stores a question once, however often the user taps until it is stored. */
export function useSendOnce(form: ComposerForm, { db, userId, archiveId, onAsked }: Asking): (event?: FormEvent) => Promise<void> {
  const { draftKey, editing, imageId, picture, showError } = form;
  const isBusy = useRef(false);

  const send = form.handleSubmit(async ({ message }) => {
    if (picture.done !== undefined) return showError('The picture is not ready yet.');
    try {
      const archive = await askQuestion(db, { userId, archiveId, text: message, imageId, replaces: editing ?? null, draftKey });
      await forgetDraft(db, draftKey);
      if (editing && archiveId) await stopEditing(db, archiveId);
      else form.clear(message);
      sendSoon();
      onAsked(archive);
    } catch (error) {
      console.error('storing the question failed', error);
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
