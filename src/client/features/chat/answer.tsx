import { useEffect, useMemo } from 'react';
import { PRODUCT } from '../../../domain/product';
import { Logo } from '../../ui/logo';
import styles from './answer.module.css';
import { countWords, Markdown, parseMarkdown } from './markdown';
import { useReveal } from './use-reveal';

interface AnswerProps {
  /** Empty while there is none. */
  text: string;
  /** It was not there when somebody began to look. */
  awaited: boolean;
  /** It has come, and can be read in full. Told once, and only for an answer that came while this was shown. */
  onRead: () => void;
}

/** The reply to a question. One that comes while it is waited for is typed out; one from before is simply there. */
export function Answer({ text, awaited, onRead }: AnswerProps) {
  const total = useMemo(() => countWords(parseMarkdown(text)), [text]);
  const { shown, done, skip } = useReveal(total, awaited && text !== '');
  const read = awaited && text !== '' && done;

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once
  useEffect(() => {
    if (read) onRead();
  }, [read]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: "Show all" is the same by keyboard
    <div className={styles.answer} onClick={done ? undefined : skip}>
      <span className={styles.name}>
        <Logo size={20} />
        {PRODUCT}
      </span>
      {text ? <Markdown text={text} words={done ? undefined : shown} /> : <Pending />}
      {!done && (
        <button type="button" className={styles.all} onClick={skip}>
          Show all
        </button>
      )}
    </div>
  );
}

const Pending = () => (
  <span className={styles.pending}>
    <span className="sr-only">The answer is on its way</span>
    <i />
    <i />
    <i />
  </span>
);
