import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { questionFault } from '#contract/chat/question-limits.ts';
import { dropAttachment } from '../ask/ask-question.ts';
import { useAttaching } from '../attach/use-attaching.ts';
import { useComposerDraft, useSavingKey } from './composer-draft.ts';
import { type Draft, draftKey, NO_DRAFT, writeDraft } from './drafts.ts';

/** Checks and trims as `question` of the contract does. */
const resolver: Resolver<{ message: string }> = ({ message }) => {
  const fault = questionFault(message);
  if (fault) return { values: {}, errors: { message: { type: 'validate', message: fault } } };
  return { values: { message: message.trim() }, errors: {} };
};

/** Otherwise the form ignores, and then clears, what the user types between a reset and the next render. */
const KEEP_FIELD = { keepFieldsRef: true };

export type ComposerForm = ReturnType<typeof useComposerForm>;

/** Holds what the composer shows: text, picture and error. Each change is saved as the conversation's draft. */
export function useComposerForm(db: UserDb, archiveId: string | undefined, area: RefObject<HTMLTextAreaElement | null>) {
  const { key, editing, draft } = useComposerDraft(db, archiveId);
  const { register, handleSubmit, reset, setError, clearErrors, formState, watch, setFocus } = useForm({
    resolver,
    reValidateMode: 'onChange',
    defaultValues: { message: draft?.text ?? '' },
  });
  const [imageId, setImageId] = useState<string | null>(draft?.imageId ?? null);
  /** Names the draft that fills the composer. */
  const shownDraft = useRef<string | undefined>(undefined);
  const text = watch('message');
  const current = useRef<Draft>(NO_DRAFT);
  current.current = { text, imageId, editing: editing ?? null };

  const showError = (message: string) => setError('root', { message });
  const savesTo = useSavingKey(key);
  const saveDraft = (change: Partial<Draft>) => writeDraft(db, savesTo.current, { ...current.current, ...change });

  const name = `${key}/${editing}`;
  const picture = useAttaching(db, name, {
    begin: () => clearErrors(),
    done: (id) => {
      void dropAttachment(db, current.current.imageId);
      setImageId(id);
      saveDraft({ imageId: id });
      setFocus('message');
    },
    failed: showError,
  });

  // Another conversation or an edit loads its own draft. The text area stays mounted, so that focus stays in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is read once per key; afterwards this form is newer
  useEffect(() => {
    if (!draft || shownDraft.current === name) return;
    const isFirst = shownDraft.current === undefined;
    shownDraft.current = name;
    // Input made before the draft was read wins. The text area can hold text that the form has not seen yet.
    if (isFirst && (area.current?.value !== '' || imageId !== null || picture.done !== undefined)) return;
    // Filling in an empty draft would clear the error of an empty question.
    if (isFirst && draft.text === '' && draft.imageId === null) return;
    reset({ message: draft.text }, KEEP_FIELD);
    setImageId(draft.imageId);
    if (!isFirst && editing) setFocus('message');
  }, [draft, name]);

  /** Clears what is about to be sent. The draft stays on the device until the question is stored. */
  function clear(sent: string) {
    reset({ message: textAfter(sent, area.current?.value ?? '') }, KEEP_FIELD);
    setImageId(null);
  }

  /** Saves what the user types from the sending of a question on as its conversation's next draft. */
  function keepRest(archive: string) {
    savesTo.current = draftKey(archive);
    if (current.current.text || current.current.imageId) saveDraft({});
  }

  /** Puts a text, such as one that could not be sent, before what the user typed since. */
  function putBack(sent: string, picture: string | null) {
    const rest = area.current?.value ?? '';
    const message = rest ? `${sent}\n${rest}` : sent;
    reset({ message }, KEEP_FIELD);
    setImageId(picture);
    saveDraft({ text: message, imageId: picture });
  }

  function removePicture() {
    if (!editing) void dropAttachment(db, imageId); // the edited message still uses its picture
    setImageId(null);
    saveDraft({ imageId: null });
    setFocus('message');
  }

  const field = register('message', { onChange: (event) => saveDraft({ text: event.target.value }) });
  const error = formState.errors.message?.message ?? formState.errors.root?.message;
  const isSending = formState.isSubmitting;
  const shown = { draftKey: key, isRead: draft !== undefined, editing, text, imageId, picture, field, error, isSending };
  return { ...shown, handleSubmit, showError, clearErrors, clear, keepRest, putBack, removePicture };
}

/** Returns the text behind `sent`; all of it if it has changed. */
function textAfter(sent: string, text: string): string {
  const at = text.indexOf(sent);
  return (at < 0 ? text : text.slice(at + sent.length)).trimStart();
}
