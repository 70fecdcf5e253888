import { useState } from 'react';
import { Icon } from '#client/ui/graphics/icon.tsx';
import styles from './choices.module.css';

interface ChoicesProps {
  /** Whole questions. */
  choices: readonly string[];
  /** Asks one as the user's own question. */
  onAsk: (question: string) => void;
}

/** The questions that an answer asks back, as buttons. Each can be pressed once. */
export function Choices({ choices, onAsk }: ChoicesProps) {
  const [pressed, setPressed] = useState(false);
  function press(choice: string, button: HTMLElement) {
    if (pressed) return;
    // The buttons go away: the focus moves to the conversation.
    button.closest<HTMLElement>('section')?.focus({ preventScroll: true });
    setPressed(true);
    onAsk(choice);
  }
  return (
    <ul className={styles.choices} aria-label="Questions to choose from">
      {choices.map((choice) => (
        <li key={choice}>
          <button type="button" className={styles.choice} aria-disabled={pressed} onClick={(event) => press(choice, event.currentTarget)}>
            <bdi>{choice}</bdi>
            <Icon name="chevron-right" size={20} />
          </button>
        </li>
      ))}
    </ul>
  );
}
