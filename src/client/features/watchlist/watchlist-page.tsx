import { useEffect, useState } from 'react';
import { CoinControls } from '#client/coins/coin-controls.tsx';
import { coinRowOutline } from '#client/coins/coin-row.tsx';
import { CoinTable } from '#client/coins/coin-table.tsx';
import { useListedCoins } from '#client/coins/listed-coins.ts';
import { SourceLine } from '#client/coins/source-line.tsx';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useLast } from '#client/platform/cache/use-last.ts';
import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import { useFiguresInterval, useShownCoins } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack, history, useLocation } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { TwoPane } from '#client/ui/layout/two-pane.tsx';
import { changedSearch, type ListChoice, readChoice } from '#domain/market/list-address.ts';
import { pullWatchlist } from './pull-watchlist.ts';
import { RefusedHearts } from './refused-hearts.tsx';
import { ANSWERED } from './watched.ts';
import styles from './watchlist-page.module.css';
import { type WatchlistData, watchlistResource } from './watchlist-resource.ts';
import { WatchlistRows } from './watchlist-rows.tsx';

/** Characters, as the contract allows. */
const MAX_TEXT = 200;

/** Writes the controls into the address without a new history entry. */
function goTo(search: string) {
  if (search !== history.location.search) history.replace(history.location.pathname + search);
}

function searchFor(text: string): string {
  const query = new URLSearchParams(history.location.search);
  if (text) query.set('q', text);
  else query.delete('q');
  const search = query.toString();
  return search && `?${search}`;
}

/** `/settings/watchlist`. The address stores the search and the settings of the controls. */
export default function WatchlistPage() {
  const userId = useClaims().sub;
  const { search: query } = useLocation();
  const [typed, setTyped] = useState(() => new URLSearchParams(query).get('q') ?? '');
  const search = useDebounced(typed).trim();
  const choice = readChoice(query);
  const reachable = useReachable();
  const list = useResource(
    watchlistResource,
    { userId, limit: choice.top, convert: choice.currency, search },
    { refreshInterval: useFiguresInterval() },
  );
  const data = useLast(list.data);
  useListedCoins(userId, data);
  useShownCoins(
    data && {
      key: ANSWERED,
      ids: data.coins.map(({ id }) => id),
      keep: (db, source) => db.coinLists.update(ANSWERED, { source }),
    },
  );
  useEffect(() => goTo(searchFor(search)), [search]);
  // Reloads on leaving, so that the next visit opens with fresh data.
  useEffect(() => () => void pullWatchlist(), []);

  return (
    <TwoPane
      current="list"
      list={
        <>
          <PageHeader title="Watchlist" onBack={() => goBack('/settings/account')} />
          <div className={styles.tools}>
            <SearchField label="Search watchlist" placeholder="Search coin..." value={typed} onChange={setTyped} maxLength={MAX_TEXT} />
            <CoinControls choice={choice} onChange={(change) => goTo(changedSearch(history.location.search, change))} />
            <SourceLine source={data?.source} savedAt={data?.savedAt} origin={list.origin} error={list.error} reachable={reachable} />
          </div>
          <RefusedHearts />
          <Content list={list} data={data} choice={choice} searched={search !== ''} onClear={() => setTyped('')} />
        </>
      }
      detail={
        <div className={styles.beside}>
          <EmptyState title="Choose a coin to see its figures." />
        </div>
      }
    />
  );
}

interface ContentProps {
  list: ResourceState<WatchlistData>;
  /** The list's data, or the previous list's while it is read. */
  data: WatchlistData | undefined;
  choice: ListChoice;
  searched: boolean;
  onClear: () => void;
}

function Content({ list, data, choice, searched, onClear }: ContentProps) {
  const { period } = choice;
  if (!data && list.isLoading) {
    return (
      <CoinTable period={period}>
        <SkeletonRows count={8} row={coinRowOutline} />
      </CoinTable>
    );
  }
  if (!data) {
    return (
      <ErrorState
        title="Your watchlist could not be loaded"
        detail={`${errorMessage(list.error)} It is safe on the server, and stays on this device once loaded.`}
        action={<Button onClick={() => void list.refresh()}>Try again</Button>}
      />
    );
  }
  if (data.coins.length > 0) {
    return (
      <CoinTable period={period} ended>
        <WatchlistRows coins={data.coins} choice={choice} />
      </CoinTable>
    );
  }
  return searched ? (
    <EmptyState
      illustration={<Illustration name="search" />}
      title="No watchlist data found!"
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  ) : (
    <EmptyState title="No watchlist data found!" action={<ButtonLink href="/crypto">See the market</ButtonLink>} />
  );
}
