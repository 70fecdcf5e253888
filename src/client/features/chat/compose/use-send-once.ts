import { type FormEvent, useEffect, useRef, useState } from 'react';
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
 * new question leaves the composer at once, and comes back if it cannot be stored. What the user sends until then follows it.
 */
export function useSendOnce(
  form: ComposerForm,
  { db, userId, archiveId, onAsking, onAsked }: Asking,
): (event?: FormEvent) => Promise<void> {
  const { draftKey, editing, imageId, picture, showError, text } = form;
  /** `left`: the question that is being stored has left the composer. `again`: the user has sent what came after it. */
  const state = useRef<'idle' | 'busy' | 'left' | 'again'>('idle');
  const [followers, setFollowers] = useState(0);
  // A function, because TypeScript assumes that the state is still what `submit` set before it waited.
  const isFollowed = () => state.current === 'again';

  const send = form.handleSubmit(async ({ message }) => {
    if (picture.done !== undefined) return showError('The picture is not ready yet.');
    const draft = { key: draftKey, wasSaved: wasSaved(db, draftKey) };
    const asked = { userId, archiveId, text: message, imageId, replaces: editing ?? null, draft };
    try {
      const storing = askQuestion(db, asked, { onAsking });
      if (!editing) {
        form.clear(message);
        state.current = 'left';
      }
      const archive = await storing;
      await forgetDraft(db, draftKey);
      if (editing && archiveId) await stopEditing(db, archiveId);
      else form.keepRest(archive);
      sendSoon();
      onAsked(archive);
    } catch (error) {
      console.error('storing the question failed', error);
      state.current = 'busy';
      if (!editing) {
        onAsking(undefined);
        form.putBack(message, imageId);
      }
      showError('Your question could not be stored on this device. Free some space and try again.');
    }
  });

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (state.current === 'left') state.current = 'again';
    if (state.current !== 'idle') return;
    state.current = 'busy';
    try {
      await send(event);
    } finally {
      if (isFollowed()) setFollowers((count) => count + 1);
      state.current = 'idle';
    }
  };

  // In a render of its own, because the first question of a chat changes its address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each follower
  useEffect(() => {
    if (followers > 0 && (text.trim() !== '' || imageId !== null)) void submit();
  }, [followers]);

  return submit;
}
