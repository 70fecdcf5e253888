import { type ReactNode, useEffect, useState } from 'react';
import { CoinControls } from '#client/coins/coin-controls.tsx';
import { useListedCoins } from '#client/coins/listed-coins.ts';
import { SourceLine } from '#client/coins/source-line.tsx';
import { useLast } from '#client/platform/cache/use-last.ts';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { lateDialog } from '#client/platform/late-dialog.tsx';
import { useFiguresInterval, useShownCoins } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { history, useLocation } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { TwoPane } from '#client/ui/layout/two-pane.tsx';
import { changedSearch, readChoice } from '#domain/market/list-address.ts';
import { pullWatchlist } from './pull-watchlist.ts';
import { RefusedHearts } from './refused-hearts.tsx';
import { ANSWERED } from './watched.ts';
import { WatchlistContent } from './watchlist-content.tsx';
import { WatchlistMenu } from './watchlist-menu.tsx';
import { watchlistResource } from './watchlist-resource.ts';
import styles from './watchlist-view.module.css';

const ImportSheet = lateDialog(async () => ({ default: (await import('./file/import-sheet.tsx')).ImportSheet }));

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

interface WatchlistViewProps {
  /** What is above the list. `menu` has the actions of the list. */
  header: (menu: ReactNode) => ReactNode;
  /** Links above the search. */
  tabs?: ReactNode;
}

/** The watchlist. The address stores the search and the settings of the controls. */
export function WatchlistView({ header, tabs }: WatchlistViewProps) {
  const userId = useClaims().sub;
  const { search: query } = useLocation();
  const [typed, setTyped] = useState(() => new URLSearchParams(query).get('q') ?? '');
  const search = useDebounced(typed).trim();
  const choice = readChoice(query);
  const reachable = useReachable();
  const [mode, setMode] = useState<'list' | 'order' | 'import'>('list');
  const isOrdering = mode === 'order';
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

  // A search hides coins that a move passes.
  function order() {
    setTyped('');
    setMode('order');
  }

  return (
    <TwoPane
      current="list"
      list={
        <>
          {header(<WatchlistMenu onOrder={order} onImport={() => setMode('import')} count={data?.total ?? 0} />)}
          <div className={styles.tools}>
            {tabs}
            <SearchField label="Search watchlist" placeholder="Search coin..." value={typed} onChange={setTyped} maxLength={MAX_TEXT} />
            <CoinControls choice={choice} onChange={(change) => goTo(changedSearch(history.location.search, change))} />
            <SourceLine source={data?.source} savedAt={data?.savedAt} origin={list.origin} error={list.error} reachable={reachable} />
          </div>
          <RefusedHearts />
          {isOrdering && <OrderBar onDone={() => setMode('list')} />}
          <WatchlistContent
            list={list}
            data={data}
            choice={choice}
            searched={search !== ''}
            ordering={isOrdering}
            onClear={() => setTyped('')}
          />
          {mode === 'import' && <ImportSheet onClose={() => setMode('list')} />}
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

/** Explains the handles, and ends ordering. */
const OrderBar = ({ onDone }: { onDone: () => void }) => (
  <div className={styles.order}>
    <p>Drag the handles to order your coins.</p>
    <Button variant="secondary" onClick={onDone} data-autofocus>
      Done
    </Button>
  </div>
);
