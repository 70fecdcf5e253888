import { useEffect, useMemo } from 'react';
import { Button } from '#client/ui/buttons/button.tsx';
import { REFRESH } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { PRODUCT } from '#domain/product.ts';
import { useAskAgain } from '../ask/use-ask-again.ts';
import type { LocalMessage } from '../conversation/conversation.ts';
import { AnswerLevels } from '../levels/answer-levels.tsx';
import { Offer } from '../offer/offer.tsx';
import styles from './answer.module.css';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerText } from './answer-text.tsx';
import { CoinCards } from './coin-cards.tsx';
import { countWords, parseMarkdown } from './markdown.tsx';
import { textOf } from './shown-markdown.ts';
import { useReveal } from './use-reveal.ts';

interface AnswerProps {
  message: LocalMessage;
  /** The answer arrived after this page opened the conversation. */
  awaited: boolean;
  /** Called once, when an awaited answer is fully visible. */
  onRead: (id: string) => void;
  /** Asks a question that the answer offers; undefined where the conversation has gone on. */
  onAsk: ((question: string) => void) | undefined;
}

/** Shows the answer to a question. An awaited answer is revealed word by word, an earlier one at once. */
export function Answer({ message, awaited, onRead, onAsk }: AnswerProps) {
  const { id, failed, choices = [], action } = message;
  const text = textOf(message, onAsk !== undefined);
  const isRevealed = awaited && text !== '';
  const total = useMemo(() => (isRevealed ? countWords(parseMarkdown(text)) : 0), [text, isRevealed]);
  const { shown, done, skip } = useReveal(total, isRevealed);
  const read = isRevealed && done;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback runs once per answer
  useEffect(() => {
    if (read) onRead(id);
  }, [read]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keyboard users have "Show all"
    <div className={styles.answer} onClick={done ? undefined : skip}>
      <span className={styles.name}>
        <Logo name={PRODUCT} size={20} />
        {PRODUCT}
      </span>
      {!text && <Pending />}
      {text && failed && <Failed message={message} />}
      {text && !failed && <AnswerText text={text} figures={message.figures} words={done ? undefined : shown} />}
      {!done && (
        <button type="button" className={styles.all} onClick={skip}>
          Show all
        </button>
      )}
      {text && !failed && done && (
        <>
          <Offer messageId={id} choices={choices} action={action} onAsk={onAsk} />
          <CoinCards ids={message.coins ?? []} />
          {!message.chat_image && !action && <AnswerLevels text={text} coins={message.coins ?? []} />}
          <AnswerActions message={message} />
        </>
      )}
    </div>
  );
}

const Pending = () => (
  <span className={styles.pending}>
    <span className="sr-only">Waiting for the answer</span>
    <i />
    <i />
    <i />
  </span>
);

/** Shows an error in place of the answer. */
function Failed({ message }: { message: LocalMessage }) {
  const retry = useAskAgain(message);
  return (
    <div className={styles.failed}>
      <p>
        <Icon name="warning" size={20} />
        {message.ai_response}
      </p>
      <Button variant="secondary" icon={REFRESH} onClick={retry}>
        Retry
      </Button>
    </div>
  );
}
