import type { ReactNode } from 'react';
import { firstScreen } from '#client/platform/first-screen/first-screen.ts';
import { useUnread } from '#client/platform/notifications/unread.ts';
import { openPalette } from '#client/platform/palette.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useGrowing } from '#client/platform/use-growing.ts';
import { Bell } from '#client/ui/buttons/bell.tsx';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { FloatingLink } from '#client/ui/buttons/floating-link.tsx';
import { IMAGE } from '#client/ui/graphics/drawings.ts';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { LinkCard } from '#client/ui/layout/card.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import type { Clock } from '#domain/clock.ts';
import { PICTURE_CHAT } from '#domain/picture-chat.ts';
import { PRODUCT } from '#domain/product.ts';
import { BotCard } from './bot-card.tsx';
import { greeting } from './greeting.ts';
import styles from './home-view.module.css';
import { OwnTiles } from './own-tiles.tsx';

interface HomeViewProps {
  /** The market's figures. */
  tiles: ReactNode;
  watchlist: ReactNode;
  /** The coins that moved most. */
  movers: ReactNode;
  /** The Recent Chat section, which the archive feature renders. */
  recent: ReactNode;
  clock?: Clock;
}

/** `/home`: a greeting, figures of the market and the user, links to the features, and recent chats. */
export function HomeView({ tiles, watchlist, movers, recent, clock = Date.now }: HomeViewProps) {
  const claims = useClaims();
  const { data: user, isLoading } = useProfile();
  const { first_name, last_name } = user ?? claims;
  const now = clock();
  const sections = [
    <div key="watchlist" className={styles.watchlist}>
      {watchlist}
    </div>,
    <div key="movers" className={styles.movers}>
      {movers}
    </div>,
    <nav key="cards" className={styles.cards} aria-label="Start">
      <LinkCard href={PICTURE_CHAT} icon={IMAGE} title="Chat by Image" text="Upload a chart or ask a question" />
      <LinkCard href="/crypto" icon="crypto" title="Discover Crypto Market" text="Prices and changes of the top coins" />
      <LinkCard href="/training-insight" icon="chart" title="Chart Analysis" text="Support and resistance levels" />
      <BotCard user={user} isLoading={isLoading} now={now} />
    </nav>,
    <div key="recent" className={styles.recent}>
      {recent}
    </div>,
  ];
  // A stored screen has shown what follows the first.
  const count = useGrowing(undefined, sections.length, { first: firstScreen() ? sections.length : 1, step: 2 });
  return (
    <>
      <PageHeader
        title={<Logo name={PRODUCT} wordmark />}
        action={
          <>
            <span className={styles.search}>
              <IconButton label="Search" icon="search" onClick={openPalette} />
            </span>
            <Bell href={NOTIFICATIONS_PAGE} unread={useUnread()} />
          </>
        }
      />
      <div className={styles.home}>
        <div className={styles.greeting}>
          <p className={styles.hello}>{user && greeting(user.created_at, now)}</p>
          <h2 className={styles.name}>
            {first_name} {last_name}
          </h2>
        </div>
        <section className={styles.tiles} aria-label="At a glance">
          {tiles}
          <OwnTiles />
        </section>
        {sections.slice(0, count)}
      </div>
      <FloatingLink href="/chat" label="New Chat" icon="plus" />
    </>
  );
}
