import { useCallback, useRef, useState } from 'react';
import { PRODUCT } from '#domain/product.ts';
import type { LocalMessage } from './conversation.ts';
import { MessageItem } from './message-item.tsx';
import styles from './messages.module.css';

interface MessagesProps {
  messages: LocalMessage[];
  /** They are what the server has now, not only what this device remembers. */
  current: boolean;
  /** Id of the message that is in the composer. */
  editing: string | undefined;
  /** An answer that came in meanwhile can be read. */
  onRead: () => void;
}

/** A conversation. Those who listen are told when an answer begins and when it is there, not each word (failure mode 26). */
export function Messages({ messages, current, editing, onRead }: MessagesProps) {
  const [read, setRead] = useState<string>();
  const tell = useRef(onRead);
  tell.current = onRead;
  // One function for all time: a message is drawn anew only when it changes.
  const readOne = useCallback((id: string) => {
    setRead(id);
    tell.current();
  }, []);
  const last = messages.at(-1);
  const awaited = messages.some(({ unsent, chat_status }) => !unsent && chat_status === 'message');
  return (
    <>
      <ol className={styles.messages}>
        {messages.map((message) => (
          <MessageItem key={message.id} message={message} current={current} editing={message.id === editing} onRead={readOne} />
        ))}
      </ol>
      <p className="sr-only" role="status">
        {awaited && `${PRODUCT} is answering`}
        {!awaited && read && read === last?.id && (last.failed ? 'There is no answer' : 'Answer ready')}
      </p>
    </>
  );
}
