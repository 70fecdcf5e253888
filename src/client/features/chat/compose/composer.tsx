import { zodResolver } from '@hookform/resolvers/zod';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { errorMessage } from '#client/platform/api/errors.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { SEND, STOP } from '#client/ui/graphics/drawings.ts';
import { MAX_QUESTION, question } from '#contract/chat/chat.ts';
import { askQuestion, dropAttachment } from '../ask/ask-question.ts';
import { sendSoon } from '../ask/send-questions.ts';
import { stopAnswer } from '../ask/stop-answer.ts';
import { AttachDrop } from '../attach/attach-drop.tsx';
import { AttachMenu } from '../attach/attach-menu.tsx';
import { ComposerPicture, PicturePreparation } from '../attach/composer-picture.tsx';
import { useAttaching } from '../attach/use-attaching.ts';
import { UpgradeDialog } from '../upgrade/upgrade-dialog.tsx';
import { askToUpgrade } from '../upgrade/upgrade-prompt.ts';
import { allowanceLeft } from './allowance.ts';
import styles from './composer.module.css';
import { useComposerDraft } from './composer-draft.ts';
import { type Draft, forgetDraft, NO_DRAFT, writeDraft } from './drafts.ts';
import { stopEditing } from './edit-message.ts';

const form = z.object({ message: question });

/** From here on, the characters left are counted aloud. */
const NEARLY_FULL = MAX_QUESTION - 200;

interface ComposerProps {
  archiveId: string | undefined;
  /** The message whose answer is being waited for, which can be stopped. */
  awaited: string | undefined;
  /** A question was written down; it is sent as soon as that can be. */
  onAsked: (archiveId: string) => void;
}

/** Enter sends (spec §5), but not the one that ends an input method's composition (failure mode 25). */
const sends = ({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229;

/** Where questions are typed and pictures attached. It grows with the text up to three rows. */
export function Composer({ archiveId, awaited, onAsked }: ComposerProps) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const { data: user, refresh: refreshProfile } = useProfile();
  const { key, editing, draft } = useComposerDraft(db, archiveId);
  const { register, handleSubmit, reset, setError, clearErrors, formState, watch, setFocus } = useForm({
    resolver: zodResolver(form),
    reValidateMode: 'onChange',
    defaultValues: { message: draft?.text ?? '' },
  });
  const [imageId, setImageId] = useState<string | null>(draft?.imageId ?? null);
  const area = useRef<HTMLTextAreaElement | null>(null);
  /** Names the draft that the box was filled with. */
  const shownKey = useRef<string | undefined>(undefined);
  const text = watch('message');
  const problem = formState.errors.message?.message ?? formState.errors.root?.message;
  const allowed = user?.userSubscription.extraChatAnalysis !== 0;

  const tell = (message: string) => setError('root', { message });
  const keep = (change: Partial<Draft>) => writeDraft(db, key, { ...now.current, ...change });
  const now = useRef<Draft>(NO_DRAFT);
  now.current = { text, imageId, editing: editing ?? null };

  const picture = useAttaching(db, {
    begin: () => clearErrors(),
    done: (id) => {
      void dropAttachment(db, now.current.imageId);
      setImageId(id);
      keep({ imageId: id });
      setFocus('message');
    },
    failed: tell,
  });

  // Another conversation, or an edit, brings its own draft; the box, and the focus in it, stay.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft of a key is read once; from then on this has the newer one
  useEffect(() => {
    const name = `${key}/${editing}`;
    if (!draft || shownKey.current === name) return;
    const first = shownKey.current === undefined;
    shownKey.current = name;
    // Somebody was quicker than the device, if only by what stands in the box and the form has not heard of yet.
    if (first && (area.current?.value !== '' || imageId !== null || picture.done !== undefined)) return;
    picture.cancel();
    reset({ message: draft.text });
    setImageId(draft.imageId);
    if (!first && editing) setFocus('message');
  }, [draft, key, editing]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useLayoutEffect(() => {
    const box = area.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`; // max-height ends it at three rows
  }, [text]);

  const submit = handleSubmit(async ({ message }) => {
    if (picture.done !== undefined) return tell('The picture is not ready yet.');
    try {
      const archive = await askQuestion(db, { userId, archiveId, text: message, imageId, replaces: editing ?? null, draftKey: key });
      await forgetDraft(db, key);
      if (editing && archiveId) await stopEditing(db, archiveId);
      else empty();
      sendSoon();
      onAsked(archive);
    } catch (error) {
      console.error('the question could not be stored', error);
      tell('Your question could not be stored on this device. Free some space and try again.');
    }
  });

  function empty() {
    reset({ message: '' });
    setImageId(null);
  }

  function attach(file: File) {
    if (allowed) void picture.attach(file);
    else askToUpgrade();
  }

  function paste(event: ClipboardEvent) {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    attach(file);
  }

  function removePicture() {
    if (!editing) void dropAttachment(db, imageId); // of an edit, the message still has it
    setImageId(null);
    keep({ imageId: null });
    setFocus('message');
  }

  async function stop(messageId: string) {
    clearErrors();
    try {
      await stopAnswer(db, messageId);
      void refreshProfile();
    } catch (error) {
      tell(errorMessage(error));
    }
  }

  const { ref, ...field } = register('message', { onChange: (event) => keep({ text: event.target.value }) });
  const left = user && allowanceLeft(user.userSubscription);
  const stoppable = text === '' && imageId === null && !editing ? awaited : undefined;
  return (
    <form className={styles.composer} onSubmit={submit} noValidate>
      <AttachDrop onChoose={attach} />
      <UpgradeDialog />
      {problem && (
        <p className={styles.problem} id="composer-problem" role="alert">
          {problem}
        </p>
      )}
      <div className={styles.box}>
        {editing && archiveId && (
          <div className={styles.editing}>
            <p role="status">Editing Message</p>
            <IconButton label="Cancel editing" icon="close" onClick={() => void stopEditing(db, archiveId)} />
          </div>
        )}
        {picture.done !== undefined && <PicturePreparation done={picture.done} />}
        {picture.done === undefined && imageId !== null && <ComposerPicture imageId={imageId} onRemove={removePicture} />}
        <div className={styles.row}>
          <AttachMenu allowed={allowed} onRefused={askToUpgrade} onChoose={attach} />
          <textarea
            {...field}
            ref={(element) => {
              ref(element);
              area.current = element;
            }}
            className={styles.text}
            rows={1}
            aria-label="Your question"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'composer-problem' : undefined}
            placeholder={imageId ? 'Ask about this chart' : 'Ask about the market'}
            enterKeyHint="send"
            onPaste={paste}
            onKeyDown={(event) => {
              if (!sends(event)) return;
              event.preventDefault();
              void submit();
            }}
          />
          {stoppable === undefined ? (
            <IconButton className={styles.send} label="Send" icon={SEND} type="submit" />
          ) : (
            <IconButton className={styles.stop} label="Stop" icon={STOP} onClick={() => void stop(stoppable)} />
          )}
        </div>
      </div>
      <p className={styles.left}>
        {left}
        {text.length > NEARLY_FULL && (
          <span className={styles.count} role="status">
            {text.length.toLocaleString('en-US')} of {MAX_QUESTION.toLocaleString('en-US')} characters
          </span>
        )}
      </p>
    </form>
  );
}
