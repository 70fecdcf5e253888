import type { BotEvent } from '../../../contract/bot';
import styles from './event-journal.module.css';
import { SectionCard } from './section-card';

const time = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

const ACTORS: Record<BotEvent['actor'], string> = { user: 'You', engine: 'Bot', exchange: 'Exchange' };

/** Everything that was done, and by whom, newest first. */
export const EventJournal = ({ events }: { events: readonly BotEvent[] }) => (
  <SectionCard title="Journal">
    {events.length === 0 ? (
      <p className={styles.none}>Nothing has happened yet.</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
      <section className={styles.scroll} tabIndex={0} aria-label="Journal, newest first">
        <ol className={styles.list}>
          {events.map(({ id, at, actor, text }) => (
            <li key={id} className={styles.event} data-actor={actor}>
              <p className={styles.text}>{text}</p>
              <p className={styles.detail}>
                {ACTORS[actor]} · <time dateTime={at}>{time.format(Date.parse(at))}</time>
              </p>
            </li>
          ))}
        </ol>
      </section>
    )}
  </SectionCard>
);
