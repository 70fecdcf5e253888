import type { ReactNode } from 'react';
import type { Clock } from '../../../domain/clock';
import { useUnread } from '../../platform/notifications/unread';
import { useProfile } from '../../platform/session/profile';
import { useClaims } from '../../platform/session/use-session';
import { Bell } from '../../ui/bell';
import { LinkCard } from '../../ui/card';
import { FloatingLink } from '../../ui/fab';
import { Logo } from '../../ui/logo';
import { PageHeader } from '../../ui/page-header';
import { BotCard } from './bot-card';
import { greeting } from './greeting';
import styles from './home-view.module.css';

interface HomeViewProps {
  /** The Recent Chat section, which belongs to the archive. */
  recent: ReactNode;
  clock?: Clock;
}

/** `/home` (spec §2): who is here, where to go, and what was asked last. */
export function HomeView({ recent, clock = Date.now }: HomeViewProps) {
  const claims = useClaims();
  const { data: user, isLoading } = useProfile();
  const { first_name, last_name } = user ?? claims;
  const now = clock();
  return (
    <>
      <PageHeader title={<Logo wordmark />} action={<Bell unread={useUnread()} />} />
      <div className={styles.home}>
        <div className={styles.greeting}>
          <p className={styles.hello}>{user && greeting(user.created_at, now)}</p>
          <h2 className={styles.name}>
            {first_name} {last_name}
          </h2>
        </div>
        <nav className={styles.cards} aria-label="Start">
          <LinkCard href="/chat" icon="image" title="Chat by Image" text="Have a chart read, or ask about coins" />
          <LinkCard href="/crypto" icon="crypto" title="Discover Crypto Market" text="Prices and changes of the top coins" />
          <LinkCard href="/training-insight" icon="chart" title="Chart Analysis" text="Support and resistance levels" />
          <BotCard user={user} isLoading={isLoading} now={now} />
        </nav>
        <div className={styles.recent}>{recent}</div>
      </div>
      <FloatingLink href="/chat" label="New Chat" icon="plus" />
    </>
  );
}
