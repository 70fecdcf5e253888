import { use, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { CoinRow, coinRowOutline } from '#client/coins/coin-row.tsx';
import { CoinTable } from '#client/coins/coin-table.tsx';
import { useListedCoins } from '#client/coins/listed-coins.ts';
import { MarketTabs } from '#client/coins/market-tabs/market-tabs.tsx';
import { SourceLine } from '#client/coins/source-line.tsx';
import type { LateParts } from '#client/coins/wide/late-parts.ts';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useLast } from '#client/platform/cache/use-last.ts';
import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { type ShownCoins, ticks, useShownCoins } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useUnread } from '#client/platform/notifications/unread.ts';
import { history } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useGrowing } from '#client/platform/use-growing.ts';
import { Bell } from '#client/ui/buttons/bell.tsx';
import { Button } from '#client/ui/buttons/button.tsx';
import { FloatingLink } from '#client/ui/buttons/floating-link.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { useColumns } from '#client/ui/hooks/use-columns.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import { changedSearch, DEFAULT_CHOICE, type ListChoice } from '#domain/market/list-address.ts';
import { PRODUCT } from '#domain/product.ts';
import { WatchlistSlot } from '../watchlist-slot.ts';
import styles from './coin-list.module.css';
import { type CoinListData, coinListResource } from './coin-list-resource.ts';
import { LateControls } from './late-controls.tsx';
import { useLateParts } from './use-late-parts.ts';

interface CoinListProps {
  list: ResourceState<CoinListData>;
  choice: ListChoice;
  /** The coin that is open in the details pane. */
  current: number | undefined;
  /** The list is visible, so its figures must update. */
  shown: boolean;
}

/** Writes a choice into the address without a new history entry. */
function choose(change: Partial<ListChoice>) {
  const { pathname, search, state } = history.location;
  history.replace(pathname + changedSearch(search, change), state);
}

/** The market list. The address stores the settings of its controls. */
export function CoinList({ list, choice, current, shown }: CoinListProps) {
  const reachable = useReachable();
  useListedCoins(useClaims().sub, list.data);
  useShownCoins(shown ? shownList(choice, list.data) : undefined);
  useReloadWith(choice.currency, list.refresh);
  const stamp = list.data?.savedAt;

  return (
    <>
      <PageHeader
        title={
          <span className={styles.title}>
            <Logo name={PRODUCT} size={32} />
            Crypto
          </span>
        }
        action={<Bell href={NOTIFICATIONS_PAGE} unread={useUnread()} />}
      />
      <div className={styles.tools}>
        <MarketTabs current="/crypto" />
        <LateControls choice={choice} onChange={choose}>
          <a className={styles.search} href="/crypto/crypto-search">
            <Icon name="search" size={20} />
            <span className={styles.label}>Search coin...</span>
          </a>
        </LateControls>
        <SourceLine source={list.data?.source} savedAt={stamp} origin={list.origin} error={list.error} reachable={reachable} />
      </div>
      <Coins list={list} choice={choice} current={current} />
      <FloatingLink href="/chat" label="New Chat" icon="plus" />
    </>
  );
}

/** Names the coins that the list shows, for live prices, and where to store their source. */
function shownList(choice: ListChoice, data: CoinListData | undefined): ShownCoins {
  const key = coinListResource.key(choice);
  return { key, ids: data?.coins.map(({ id }) => id) ?? [], keep: (db, source) => db.coinLists.update(key, { source }) };
}

/** Reloads the list when the currency changes. Answers have both currencies, but a user who switches expects fresh figures. */
function useReloadWith(currency: string, reload: () => Promise<unknown>) {
  const shown = useRef(currency);
  useEffect(() => {
    if (shown.current === currency) return;
    shown.current = currency;
    // The list's own state reports the error.
    void reload().catch(() => undefined);
  }, [currency, reload]);
}

type CoinsProps = Omit<CoinListProps, 'shown'>;

function Coins({ list, choice, current }: CoinsProps) {
  const shown = useLast(list.data && { data: list.data, choice });
  const isRoomy = useColumns();
  const parts = useLateParts();
  const heads = isRoomy && (
    <div className={styles.heads}>
      {parts && <parts.Heads period={choice.period} sort={choice.sort ?? ''} onSort={(sort) => choose({ sort })} />}
    </div>
  );
  if (list.data?.coins.length === 0) return <NoCoins filtered={Object.keys(choice.filters).length > 0} />;
  if (shown && (list.data || list.isLoading)) {
    return (
      <CoinTable busy={!list.data} heads={heads}>
        <Rows
          data={shown.data}
          choice={{ ...shown.choice, period: choice.period, sort: choice.sort }}
          current={current}
          isRoomy={isRoomy}
          parts={parts}
        />
        {list.isPart ? <Rest list={list} /> : <p className={styles.source}>Figures: {shown.data.source.name}</p>}
      </CoinTable>
    );
  }
  if (list.isLoading) {
    return (
      <CoinTable heads={heads}>
        <SkeletonRows count={12} row={coinRowOutline} />
      </CoinTable>
    );
  }
  return <NotLoaded list={list} choice={choice} />;
}

const NoCoins = ({ filtered }: { filtered: boolean }) => (
  <EmptyState
    title="No data found!"
    action={
      filtered && (
        <Button variant="secondary" onClick={() => choose({ filters: {} })}>
          Reset filters
        </Button>
      )
    }
  />
);

/** Explains a list that failed to load, and offers the default list, which is probably stored. */
function NotLoaded({ list, choice }: { list: ResourceState<CoinListData>; choice: ListChoice }) {
  const { ranking, top, filters } = DEFAULT_CHOICE;
  const again = <Button onClick={() => void list.refresh()}>Try again</Button>;
  if (changedSearch('', choice) === changedSearch('', { ...choice, ranking, top, filters })) {
    return (
      <ErrorState
        title="The market could not be loaded"
        detail={`${errorMessage(list.error)} Once loaded, it stays on this device.`}
        action={again}
      />
    );
  }
  return (
    <ErrorState
      title="This list is not on this device yet"
      detail={`${errorMessage(list.error)} Lists you opened before are still here.`}
      action={
        <>
          {again}
          <Button variant="secondary" onClick={() => choose({ ranking, top, filters })}>
            Show the top 100
          </Button>
        </>
      }
    />
  );
}

/** Says below the first rows of a list whether the others are still coming. */
const Rest = ({ list }: { list: ResourceState<CoinListData> }) => (
  <div className={styles.rest} role="status">
    {list.error && !list.isValidating ? (
      <>
        <p>The rest of the list could not be loaded. {errorMessage(list.error)}</p>
        <Button variant="secondary" onClick={() => void list.refresh()}>
          Try again
        </Button>
      </>
    ) : (
      <p>Loading the rest of the list…</p>
    )}
  </div>
);

/** Height of a row and of its share of what is above the list, px: the window shows no more rows than such shares fit. */
const SHARE_OF_ROW = 80;

interface RowsProps {
  data: CoinListData;
  choice: ListChoice;
  current: number | undefined;
  /** There is room for columns. */
  isRoomy: boolean;
  /** The late parts of rows, once they are loaded. */
  parts: LateParts | undefined;
}

function Rows({ data, choice, current, isRoomy, parts }: RowsProps) {
  const { currency, period, ranking, sort = '' } = choice;
  const coins = useMemo(
    () => (isRoomy && parts?.sortCoins(data.coins, sort, currency)) || data.coins,
    [isRoomy, parts, data, sort, currency],
  );
  const search = changedSearch('', choice);
  const { watched } = use(WatchlistSlot);
  const first = Math.ceil(innerHeight / SHARE_OF_ROW);
  // The controls are above the list: a switch of the currency answers with the rows in the window.
  const later = useDeferredValue(currency);
  const laterSearch = changedSearch(search, { currency: later });
  const count = useGrowing(undefined, coins.length, {
    first,
    step: 30,
    rows: '[aria-label=Coins] li',
    later: 'in-steps',
  });
  return (
    // A new order remounts the list: moving rows would count as layout shift.
    <ul aria-label="Coins" key={ranking + sort}>
      {coins.slice(0, count).map((coin, place) => (
        <CoinRow
          key={coin.id}
          coin={coin}
          currency={place < first ? currency : later}
          period={period}
          href={`/crypto/details/${coin.id}${place < first ? search : laterSearch}`}
          current={coin.id === current}
          watched={watched.has(coin.id)}
          ticks={ticks}
          wide={isRoomy}
          Cells={isRoomy ? parts?.Cells : undefined}
          Line={parts?.Line}
        />
      ))}
    </ul>
  );
}
