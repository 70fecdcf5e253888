import type { DeviceAnswer } from '#client/platform/db/user-db.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { choicesText } from '#domain/analyst/answers/choices-text.ts';
import { formatTimeOfDay } from '#domain/format/format-date.ts';
import { AnswerText } from '../answer/answer-text.tsx';
import { Offer } from '../offer/offer.tsx';
import styles from './device-answer-block.module.css';

interface DeviceAnswerBlockProps {
  messageId: string;
  answer: DeviceAnswer;
  /** There is no answer of the server yet, which would offer the same. */
  isCurrent: boolean;
  /** Asks a question that the answer offers; undefined where the conversation has gone on. */
  onAsk: ((question: string) => void) | undefined;
  now?: number;
}

/** An answer that this device gave while the server could not be reached, with the time of its figures. */
export function DeviceAnswerBlock({ messageId, answer, isCurrent, onAsk, now = Date.now() }: DeviceAnswerBlockProps) {
  const { text, asOf, choices = [], action, figures } = answer;
  const asks = isCurrent ? onAsk : undefined;
  return (
    <div className={styles.answer}>
      <p className={styles.note}>
        <Icon name="wifi-off" size={16} />
        {`From this device, figures of ${timeOf(asOf, now)}`}
      </p>
      <AnswerText text={asks ? text.replace(choicesText(choices), '') : text} figures={figures} />
      {isCurrent && <Offer messageId={messageId} choices={choices} action={action} onAsk={asks} />}
    </div>
  );
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** "9:14 AM"; of another day "21 Feb 2025, 9:14 AM". */
function timeOf(asOf: number, now: number): string {
  const at = new Date(asOf);
  const clock = formatTimeOfDay(asOf);
  return at.toDateString() === new Date(now).toDateString() ? clock : `${at.toLocaleDateString('en-GB', day)}, ${clock}`;
}
