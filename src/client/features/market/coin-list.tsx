import { figure, formatAmount } from '../../../domain/figures';
import { errorMessage } from '../../platform/api/errors';
import { type ResourceState, useResource } from '../../platform/cache/use-resource';
import { useReachable } from '../../platform/live/reachability';
import { Button, IconLink } from '../../ui/button';
import { CoinRow, coinRowOutline } from '../../ui/coin-row';
import { FloatingLink } from '../../ui/fab';
import { Icon } from '../../ui/icon';
import { Logo } from '../../ui/logo';
import { PageHeader } from '../../ui/page-header';
import { SkeletonRows } from '../../ui/skeleton';
import { SourceLine } from '../../ui/source-line';
import { EmptyState, ErrorState } from '../../ui/state';
import styles from './coin-list.module.css';
import { type CoinListData, coinListResource, TOP_100 } from './coin-list-resource';
import { POLL_MS } from './poll';

interface CoinListProps {
  /** The coin that is open beside the list. */
  current: number | undefined;
  /** Someone is looking: keep the figures moving. */
  shown: boolean;
}

/** The market list (spec §2, /crypto). */
export function CoinList({ current, shown }: CoinListProps) {
  const reachable = useReachable();
  const list = useResource(coinListResource, TOP_100, { refreshInterval: shown ? POLL_MS : 0 });
  return (
    <>
      <PageHeader
        title={
          <span className={styles.title}>
            <Logo size={32} />
            Crypto
          </span>
        }
        action={<IconLink label="Notifications" icon="bell" href="/settings/notification" />}
      />
      <div className={styles.tools}>
        <a className={styles.search} href="/crypto/crypto-search">
          <Icon name="search" size={20} />
          Search coin...
        </a>
        <SourceLine source={list.data?.source} savedAt={list.savedAt} origin={list.origin} error={list.error} reachable={reachable} />
      </div>
      <div className={styles.list}>
        <Coins list={list} current={current} />
      </div>
      <FloatingLink href="/chat" label="New Chat" icon="plus" />
    </>
  );
}

/** Shows where the figures have columns; each figure also says what it is. */
const columns = (
  <div className={styles.columns} aria-hidden="true">
    <span>Coin</span>
    <span>Price</span>
    <span>24h</span>
    <span>Market cap</span>
  </div>
);

function Coins({ list, current }: { list: ResourceState<CoinListData>; current: number | undefined }) {
  if (list.isLoading) {
    return (
      <>
        {columns}
        <SkeletonRows count={12} row={coinRowOutline} />
      </>
    );
  }
  if (!list.data) {
    return (
      <ErrorState
        title="The market could not be loaded"
        detail={`${errorMessage(list.error)} Once loaded, it stays on this device.`}
        action={<Button onClick={() => void list.refresh()}>Try again</Button>}
      />
    );
  }
  const { coins, source } = list.data;
  if (coins.length === 0) return <EmptyState title="No data found!" />;
  return (
    <>
      {columns}
      <ul aria-label="Coins">
        {coins.map(({ id, name, symbol, quote }) => {
          const price = figure(quote, 'price');
          return (
            <CoinRow
              key={id}
              id={id}
              href={`/crypto/details/${id}`}
              name={name}
              symbol={symbol}
              price={price?.value}
              currency={price?.currency ?? 'USD'}
              change={figure(quote, 'percent_change_24h')?.value}
              cap={formatAmount(figure(quote, 'market_cap'))}
              current={id === current}
            />
          );
        })}
      </ul>
      <p className={styles.source}>Figures: {source.name}</p>
    </>
  );
}
