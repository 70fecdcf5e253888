import { useState } from 'react';
import { PRODUCT } from '../../../domain/product';
import type { Message } from './conversation';
import { MessageItem } from './message-item';
import styles from './messages.module.css';

interface MessagesProps {
  messages: Message[];
  /** They are what the server has now, not only what this device remembers. */
  current: boolean;
  /** An answer that came in meanwhile can be read. */
  onRead: () => void;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
}

/** A conversation. Those who listen are told when an answer begins and when it is there, not each word (failure mode 26). */
export function Messages({ messages, current, onRead, onRetry, onDiscard }: MessagesProps) {
  const [read, setRead] = useState<string>();
  const last = messages.at(-1);
  const awaited = messages.some(({ unsent, ai_response }) => !unsent && !ai_response);
  return (
    <>
      <ol className={styles.messages}>
        {messages.map((message) => (
          <MessageItem
            key={message.id}
            message={message}
            current={current}
            onRead={() => {
              setRead(message.id);
              onRead();
            }}
            onRetry={onRetry}
            onDiscard={onDiscard}
          />
        ))}
      </ol>
      <p className="sr-only" role="status">
        {awaited && `${PRODUCT} is answering`}
        {!awaited && read && read === last?.id && 'Answer ready'}
      </p>
    </>
  );
}
