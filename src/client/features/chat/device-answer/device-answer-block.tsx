import type { DeviceAnswer } from '#client/platform/db/user-db.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Markdown } from '../answer/markdown.tsx';
import styles from './device-answer-block.module.css';

/** An answer that this device gave while the server could not be reached, with the time of its figures. */
export const DeviceAnswerBlock = ({ answer: { text, asOf }, now = Date.now() }: { answer: DeviceAnswer; now?: number }) => (
  <div className={styles.answer}>
    <p className={styles.note}>
      <Icon name="wifi-off" size={16} />
      {`From this device, figures of ${timeOf(asOf, now)}`}
    </p>
    <Markdown text={text} />
  </div>
);

const time = { hour: 'numeric', minute: '2-digit' } as const;
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** "9:14 AM"; of another day "21 Feb 2025, 9:14 AM". */
function timeOf(asOf: number, now: number): string {
  const at = new Date(asOf);
  const clock = at.toLocaleTimeString('en-US', time);
  return at.toDateString() === new Date(now).toDateString() ? clock : `${at.toLocaleDateString('en-GB', day)}, ${clock}`;
}
