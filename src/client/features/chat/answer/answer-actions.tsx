import { useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { toast } from '#client/platform/toast.ts';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { COPY, REFRESH, THUMB_DOWN, THUMB_UP } from '#client/ui/graphics/drawings.ts';
import type { IconName } from '#client/ui/graphics/icon.tsx';
import type { Rating } from '#contract/chat/chat.ts';
import { useAskAgain } from '../ask/use-ask-again.ts';
import { ContinueButton } from '../continue/continue-button.tsx';
import type { LocalMessage } from '../conversation/conversation.ts';
import { rateAnswer } from '../rate/rate-answer.ts';
import styles from './answer-actions.module.css';

const RATINGS = [
  { rating: 'up', label: 'Good answer', icon: THUMB_UP },
  { rating: 'down', label: 'Bad answer', icon: THUMB_DOWN },
] as const satisfies readonly { rating: Rating; label: string; icon: IconName }[];

/** Copies the answer. The button shows a check mark too, because a toast is easy to miss. */
function Copy({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toast('Copied');
    } catch {
      toast('Your browser blocked copying. Select the text and copy it.');
    }
  }
  return <IconButton label="Copy answer" icon={copied ? 'check' : COPY} onClick={() => void copy()} onBlur={() => setCopied(false)} />;
}

/** Buttons to copy an answer, rate it, ask for another, or go on from it in a new chat. */
export function AnswerActions({ message }: { message: LocalMessage }) {
  const { id, ai_response, rating = null } = message;
  const db = userDb(useClaims().sub);
  const again = useAskAgain(message);
  return (
    <div className={styles.actions}>
      <Copy text={ai_response} />
      {RATINGS.map((each) => (
        <IconButton
          key={each.rating}
          label={each.label}
          icon={each.icon}
          className={styles.rating}
          aria-pressed={rating === each.rating}
          onClick={() => void rateAnswer(db, id, rating === each.rating ? null : each.rating)}
        />
      ))}
      <IconButton label="Ask for another answer" icon={REFRESH} onClick={again} />
      <ContinueButton message={message} />
    </div>
  );
}
