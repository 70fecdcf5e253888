import { useState } from 'react';
import { useReachable } from '../../platform/live/reachability';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Answer } from './answer';
import { wasAskedHere } from './ask-question';
import type { Message } from './conversation';
import styles from './message-item.module.css';
import { MessagePicture } from './picture-message';

interface MessageItemProps {
  message: Message;
  /** What is shown is what the server has now. */
  current: boolean;
  onRead: () => void;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
}

/** A question, what became of it, and its answer. */
export function MessageItem({ message, current, onRead, onRetry, onDiscard }: MessageItemProps) {
  const { id, user_message, ai_response, unsent } = message;
  // A missing answer is waited for here, unless it may have come long ago and this device does not know it yet.
  const [awaited, setAwaited] = useState(false);
  if (!awaited && !ai_response && (unsent || current || wasAskedHere(id))) setAwaited(true);
  return (
    <li className={styles.item}>
      <MessagePicture message={message} />
      <p className={styles.question}>{user_message}</p>
      {unsent?.state === 'waiting' && <Waiting />}
      {unsent?.state === 'parked' && (
        <div className={styles.refused} role="alert">
          <p className={styles.reason}>
            <Icon name="warning" size={16} />
            {unsent.reason ?? 'Not sent.'}
          </p>
          <Button variant="ghost" icon="refresh" onClick={() => onRetry(id)}>
            Retry
          </Button>
          <Button variant="ghost" icon="trash" onClick={() => onDiscard(id)}>
            Discard
          </Button>
        </div>
      )}
      {!unsent && <Answer text={ai_response} awaited={awaited} onRead={onRead} />}
    </li>
  );
}

function Waiting() {
  const reachable = useReachable();
  return (
    <p className={styles.waiting}>
      <Icon name="clock" size={16} />
      {reachable ? 'Sending' : 'Waiting for connection'}
    </p>
  );
}
