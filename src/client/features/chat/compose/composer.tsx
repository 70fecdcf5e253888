import { useRef } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { SEND, STOP } from '#client/ui/graphics/drawings.ts';
import { MAX_QUESTION } from '#contract/chat/question-limits.ts';
import { formatFixed } from '#domain/format/format-number.ts';
import { stopAnswer } from '../ask/stop-answer.ts';
import { AttachDrop } from '../attach/attach-drop.tsx';
import { AttachMenu } from '../attach/attach-menu.tsx';
import { ComposerPicture, PicturePreparation } from '../attach/composer-picture.tsx';
import type { LocalMessage } from '../conversation/conversation.ts';
import { usePreparedAnswers } from '../device-answer/use-device-answers.ts';
import { useShared } from '../share/use-shared.ts';
import { UpgradeDialog } from '../upgrade/upgrade-dialog.tsx';
import { askToUpgrade } from '../upgrade/upgrade-prompt.ts';
import { allowanceLeft } from './allowance.ts';
import styles from './composer.module.css';
import { ComposerText } from './composer-text.tsx';
import { stopEditing, useEdit } from './edit-message.ts';
import { useComposerForm } from './use-composer-form.ts';
import { useSendOnce } from './use-send-once.ts';

const ERROR_ID = 'composer-problem';
/** From this length on, the composer counts the characters. */
const NEARLY_FULL = MAX_QUESTION - 200;

interface ComposerProps {
  archiveId: string | undefined;
  /** Id of the message whose answer is pending and can be stopped. */
  awaited: string | undefined;
  /** Called with a new question before it is stored on the device, and with undefined if that fails. */
  onAsking: (question: LocalMessage | undefined) => void;
  /** Called once a question is stored. */
  onAsked: (archiveId: string) => void;
}

/** The form for questions and pictures. */
export function Composer({ archiveId, awaited, onAsking, onAsked }: ComposerProps) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const { data: user, refresh: refreshProfile } = useProfile();
  const area = useRef<HTMLTextAreaElement | null>(null);
  const form = useComposerForm(db, archiveId, area);
  const { text, imageId, editing, picture, error, showError } = form;
  const isResumed = useEdit(db, archiveId)?.isResumed ?? false;
  const isPictureAllowed = user && user.userSubscription.extraChatAnalysis !== 0;

  useShared(form, archiveId);
  usePreparedAnswers(db);
  const submit = useSendOnce(form, { db, userId, archiveId, onAsking, onAsked });

  function attach(file: File) {
    if (isPictureAllowed === false) askToUpgrade();
    else void picture.attach(file);
  }

  async function stop(messageId: string) {
    form.clearErrors();
    try {
      await stopAnswer(db, messageId);
      void refreshProfile();
    } catch (error) {
      showError(errorMessage(error));
    }
  }

  const stoppable = text === '' && imageId === null && !editing ? awaited : undefined;
  return (
    <form className={styles.composer} onSubmit={submit} aria-busy={form.isSending || undefined} noValidate>
      <AttachDrop onChoose={attach} />
      <UpgradeDialog />
      {error && (
        <p className={styles.problem} id={ERROR_ID} role="alert">
          {error}
        </p>
      )}
      <div className={styles.box}>
        {editing && archiveId && <EditingBanner isResumed={isResumed} onCancel={() => void stopEditing(db, archiveId)} />}
        {picture.done !== undefined && <PicturePreparation done={picture.done} />}
        {picture.done === undefined && imageId !== null && (
          <ComposerPicture imageId={imageId} question={text} onRemove={form.removePicture} />
        )}
        <div className={styles.row}>
          <AttachMenu allowed={isPictureAllowed} onRefused={askToUpgrade} onChoose={attach} />
          <ComposerText
            area={area}
            field={form.field}
            text={text}
            placeholder={imageId ? 'Ask about this chart' : 'Ask about the market'}
            errorId={error ? ERROR_ID : undefined}
            onPasteImage={attach}
            onSubmit={() => void submit()}
          />
          {stoppable === undefined ? (
            <IconButton className={styles.send} label="Send" icon={SEND} type="submit" />
          ) : (
            <IconButton className={styles.stop} label="Stop" icon={STOP} onClick={() => void stop(stoppable)} />
          )}
        </div>
      </div>
      <Remaining allowance={user && allowanceLeft(user.userSubscription)} length={text.length} />
    </form>
  );
}

const EditingBanner = ({ isResumed, onCancel }: { isResumed: boolean; onCancel: () => void }) => (
  <div className={styles.editing}>
    <p role="status">Editing Message{isResumed && ', saved on your last visit'}</p>
    <IconButton label="Cancel editing" icon="close" onClick={onCancel} />
  </div>
);

const Remaining = ({ allowance, length }: { allowance: string | undefined; length: number }) => (
  <p className={styles.left}>
    {allowance}
    {length > NEARLY_FULL && (
      <span className={styles.count} role="status">
        {formatFixed(length, 0)} of {formatFixed(MAX_QUESTION, 0)} characters
      </span>
    )}
  </p>
);
