import { memo, useEffect, useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { reportAnswer } from '#client/platform/pwa/real-use.ts';
import { history } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button, IconButton } from '#client/ui/buttons/button.tsx';
import { PENCIL, REFRESH, STOP, TRASH } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { RowBoundary } from '#client/ui/layout/row-boundary.tsx';
import { Answer } from '../answer/answer.tsx';
import { discardQuestion, isAwaitedHere, retryQuestion, stopAwaiting } from '../ask/ask-question.ts';
import { sendSoon } from '../ask/send-questions.ts';
import { useAskAgain } from '../ask/use-ask-again.ts';
import { startEditing } from '../compose/edit-message.ts';
import { DeviceAnswerBlock } from '../device-answer/device-answer-block.tsx';
import { MessagePicture } from '../picture/message-picture.tsx';
import type { LocalMessage } from './conversation.ts';
import { repairMessage } from './conversation-pages.ts';
import styles from './message-item.module.css';

interface MessageItemProps {
  message: LocalMessage;
  /** The list is current, not only the device's copy. */
  current: boolean;
  /** The user is editing this message. */
  editing: boolean;
  onRead: (id: string) => void;
  /** Asks a question that the answer offers; undefined where the conversation has gone on. */
  onAsk: ((question: string) => void) | undefined;
}

/** A question with its state and its answer. A row that another program or a broken disk has damaged is fetched again. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message } = props;
  const db = userDb(useClaims().sub);
  return (
    <RowBoundary
      row={message}
      fallback={<li className={styles.waiting}>This message could not be shown.</li>}
      onError={() => void repairMessage(db, message).catch(() => undefined)}
    >
      <Whole {...props} />
    </RowBoundary>
  );
});

function Whole({ message, current, editing, onRead, onAsk }: MessageItemProps) {
  const { id, user_message, ai_response, unsent, stopped, failed } = message;
  const userId = useClaims().sub;
  const db = userDb(userId);
  // A question that this page asked may have its answer before it is first drawn. A missing answer of another
  // question is awaited only when the list is current: otherwise the answer may be old and not on this device yet.
  const [awaited, setAwaited] = useState(() => isAwaitedHere(id));
  if (!awaited && !ai_response && !stopped && (unsent || current || isAwaitedHere(id))) setAwaited(true);
  useEffect(() => {
    if (!ai_response) return;
    stopAwaiting(id);
    if (awaited && !failed) reportAnswer(userId);
  }, [id, ai_response, awaited, failed, userId]);
  return (
    <li className={styles.item} data-id={id}>
      <MessagePicture message={message} />
      <p className={styles.question}>{user_message}</p>
      {message.chat_status === 'ai-responce' && !editing && !unsent && (
        <IconButton className={styles.edit} label="Edit message" icon={PENCIL} onClick={() => startEditing(db, message)} />
      )}
      {unsent && <Unsent message={message} />}
      {message.device_answer && <DeviceAnswerBlock messageId={id} answer={message.device_answer} isCurrent={!ai_response} onAsk={onAsk} />}
      {!unsent && stopped && !ai_response && <Stopped message={message} />}
      {!unsent && !(stopped && !ai_response) && (
        <Answer message={message} awaited={awaited} onRead={onRead} onAsk={unsent ? undefined : onAsk} />
      )}
    </li>
  );
}

/** Shows that a question is queued or was refused. */
function Unsent({ message: { id, unsent } }: { message: LocalMessage }) {
  const db = userDb(useClaims().sub);
  const reachable = useReachable();
  async function retry() {
    await retryQuestion(db, id);
    sendSoon();
  }
  async function discard() {
    if (await discardQuestion(db, id)) history.replace('/chat');
  }
  if (unsent?.state === 'parked') {
    return (
      <div className={styles.refused} role="alert">
        <p className={styles.reason}>
          <Icon name="warning" size={16} />
          {unsent.reason ?? 'Not sent.'}
        </p>
        <Button variant="ghost" icon={REFRESH} onClick={() => void retry()}>
          Retry
        </Button>
        <Button variant="ghost" icon={TRASH} onClick={() => void discard()}>
          Discard
        </Button>
      </div>
    );
  }
  return (
    <p className={styles.waiting}>
      <Icon name="clock" size={16} />
      {/* Only a stored question survives a reload, and has a number. */}
      {unsent?.seq === undefined ? 'Saving' : reachable ? (unsent.reason ?? 'Sending') : 'Waiting for connection'}
    </p>
  );
}

/** Shows a stopped question. It counts if work on its answer had started. */
function Stopped({ message }: { message: LocalMessage }) {
  const again = useAskAgain(message);
  return (
    <div className={styles.stopped}>
      <p className={styles.note}>
        <Icon name={STOP} size={16} />
        {message.counted ? 'Stopped. This question counts because its answer had started.' : 'Stopped. This question was not counted.'}
      </p>
      <Button variant="ghost" icon={REFRESH} onClick={again}>
        Ask again
      </Button>
    </div>
  );
}
