import type { ReactNode } from 'react';
import { MarketTabs } from '#client/coins/market-tabs/market-tabs.tsx';
import { useUnread } from '#client/platform/notifications/unread.ts';
import { Bell } from '#client/ui/buttons/bell.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import { WatchlistView } from './watchlist-view.tsx';

/** `/crypto/watchlist`: the watchlist as a tab of the market. */
export default function MarketWatchlistPage() {
  const bell = <Bell href={NOTIFICATIONS_PAGE} unread={useUnread()} />;
  const header = (menu: ReactNode) => (
    <PageHeader
      title="Crypto"
      action={
        <>
          {menu}
          {bell}
        </>
      }
    />
  );
  return <WatchlistView header={header} tabs={<MarketTabs current="/crypto/watchlist" />} />;
}
