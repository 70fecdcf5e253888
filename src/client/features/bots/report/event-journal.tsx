import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import type { BotEvent } from '#contract/bots/bot.ts';
import styles from './event-journal.module.css';
import { SectionList } from './section-list.tsx';

const time = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

const ACTORS: Record<BotEvent['actor'], string> = { user: 'You', engine: 'Bot', exchange: 'Exchange' };

/** Lists what user, bot and exchange did, newest first. */
export const EventJournal = ({ events }: { events: readonly BotEvent[] }) => {
  const { sentence } = useAmounts();
  return (
    <SectionList title="Journal" none="Nothing has happened yet.">
      {events.map(({ id, at, actor, text }) => (
        <li key={id} className={styles.event} data-actor={actor}>
          <p className={styles.text}>{sentence(text)}</p>
          <p className={styles.detail}>
            {ACTORS[actor]} · <time dateTime={at}>{time.format(Date.parse(at))}</time>
          </p>
        </li>
      ))}
    </SectionList>
  );
};
