import { CoinPanel } from '#client/coins/panel/coin-panel.tsx';
import { SourceLine } from '#client/coins/source-line.tsx';
import { errorMessage } from '#client/platform/api/errors.ts';
import { resourceAhead, useResource } from '#client/platform/cache/use-resource.ts';
import { useFiguresInterval, useShownCoins } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { Section } from '#client/ui/layout/section.tsx';
import { ANSWERED } from '../watched.ts';
import { watchlistResource, wholeWatchlist } from '../watchlist-resource.ts';
import styles from './watchlist-section.module.css';

/** Coins shown. */
const SHOWN = 5;

/** Returns the query of `WatchlistSection`, for the first render of a page. */
export const watchlistAhead = (userId: string) => resourceAhead(watchlistResource, wholeWatchlist(userId));

/** Home's section of the first watched coins, with the age of the figures. */
export function WatchlistSection() {
  const list = useResource(watchlistResource, wholeWatchlist(useClaims().sub), { refreshInterval: useFiguresInterval() });
  const reachable = useReachable();
  const coins = list.data?.coins.slice(0, SHOWN);
  useShownCoins(
    coins && {
      key: ANSWERED,
      ids: coins.map(({ id }) => id),
      keep: (db, source) => db.coinLists.update(ANSWERED, { source }),
    },
  );
  const failed = !coins && !list.isLoading && (
    <ErrorState
      title="Your watchlist could not be loaded"
      detail={errorMessage(list.error)}
      action={<Button onClick={() => void list.refresh()}>Try again</Button>}
    />
  );
  return (
    <Section title="Watchlist" all={{ href: '/crypto/watchlist', label: 'See all watched coins' }}>
      <div className={styles.source}>
        <SourceLine source={list.data?.source} savedAt={list.data?.savedAt} origin={list.origin} error={list.error} reachable={reachable} />
      </div>
      <CoinPanel
        label="Watchlist"
        coins={failed ? [] : coins}
        rows={SHOWN}
        empty={failed || <EmptyState title="No watchlist data found!" action={<a href="/crypto">Add coins by their heart</a>} />}
      />
    </Section>
  );
}
