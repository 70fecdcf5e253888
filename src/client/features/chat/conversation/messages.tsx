import { useCallback, useRef, useState } from 'react';
import { PRODUCT } from '#domain/product.ts';
import { useDeviceAnswers } from '../device-answer/use-device-answers.ts';
import type { LocalMessage } from './conversation.ts';
import { MessageItem } from './message-item.tsx';
import styles from './messages.module.css';

interface MessagesProps {
  messages: LocalMessage[];
  /** The list is current, not only the device's copy. */
  current: boolean;
  /** Id of the message that the user is editing. */
  editing: string | undefined;
  /** Called when a new answer is fully visible. */
  onRead: () => void;
  /** Asks one of the questions that the last answer offers. */
  onAsk: (question: string) => void;
}

/** The list of messages. Screen readers announce the start and the end of an answer, not each word. */
export function Messages({ messages, current, editing, onRead, onAsk }: MessagesProps) {
  const [read, setRead] = useState<string>();
  const tell = useRef({ onRead, onAsk });
  tell.current = { onRead, onAsk };
  // A stable function, so that memoized messages render only when they change.
  const readOne = useCallback((id: string) => {
    setRead(id);
    tell.current.onRead();
  }, []);
  const ask = useCallback((question: string) => tell.current.onAsk(question), []);
  useDeviceAnswers(messages);
  const last = messages.at(-1);
  const awaited = messages.some(({ unsent, chat_status }) => !unsent && chat_status === 'message');
  return (
    <>
      <ol className={styles.messages}>
        {messages.map((message) => (
          <MessageItem
            key={message.id}
            message={message}
            current={current}
            editing={message.id === editing}
            onRead={readOne}
            onAsk={message === last ? ask : undefined}
          />
        ))}
      </ol>
      <p className="sr-only" role="status">
        {awaited && `${PRODUCT} is answering`}
        {!awaited && read && read === last?.id && (last.failed ? 'There is no answer' : 'Answer ready')}
      </p>
    </>
  );
}
