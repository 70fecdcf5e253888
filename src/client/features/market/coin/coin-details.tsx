import { memo, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CoinIcon } from '#client/coins/coin-icon.tsx';
import { rateOf, shownCode } from '#client/coins/money/money-facts.ts';
import { Change, Price } from '#client/coins/price.tsx';
import { SourceLine } from '#client/coins/source-line.tsx';
import { ApiError, errorMessage } from '#client/platform/api/errors.ts';
import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import { firstScreen } from '#client/platform/first-screen/first-screen.ts';
import { useFiguresInterval, useShownCoins, useTick } from '#client/platform/live/coin-ticks.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack, useLocation } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useGrowing } from '#client/platform/use-growing.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { useWide } from '#client/ui/hooks/use-wide.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { formatSymbol } from '#domain/format/format-number.ts';
import { figure } from '#domain/market/figures.ts';
import { withTick } from '#domain/market/ticks.ts';
import { type AlertLevel, type AlertParts, AlertsSlot } from '../alerts-slot.ts';
import { CoinChart, CoinChartOutline } from '../chart/coin-chart.tsx';
import { WatchlistSlot } from '../watchlist-slot.ts';
import styles from './coin-details.module.css';
import { type CoinData, coinDetailsResource } from './coin-details-resource.ts';
import { CoinStatistics, StatisticsOutline } from './coin-statistics.tsx';
import { Converter } from './converter.tsx';
import { PriceSources } from './price-sources.tsx';

/** The page of a coin. `id` is undefined if the address has no valid one. The list beside it renders more often. */
export const CoinDetails = memo(function CoinDetails({ id }: { id: number | undefined }) {
  const userId = useClaims().sub;
  const refreshInterval = useFiguresInterval();
  const state = useResource(coinDetailsResource, id === undefined ? null : { id, userId }, { refreshInterval });
  const unknown = id === undefined || (state.error instanceof ApiError && state.error.code === 'not_found');

  if (state.isLoading) return <DetailsSkeleton />;
  if (state.data) return <Known key={id} state={state} data={state.data} />;
  return (
    <>
      <PageHeader title="Coin" onBack={() => goBack('/crypto')} />
      {unknown ? (
        <EmptyState title="Coin not found." action={<ButtonLink href="/crypto">See the market</ButtonLink>} />
      ) : (
        <ErrorState
          title="This coin could not be loaded"
          detail={`${errorMessage(state.error)} Coins you have opened before stay on this device.`}
          action={<Button onClick={() => void state.refresh()}>Try again</Button>}
        />
      )}
    </>
  );
});

function Known({ state, data }: { state: ResourceState<CoinData>; data: CoinData }) {
  const { details, source, listedAt } = data;
  const { id, name, symbol } = data.coin;
  const quote = withTick(data.coin.quote, useTick(id));
  const coin = { ...data.coin, quote };
  useShownCoins({ key: `coin/${id}`, ids: [id], keep: (db, source) => db.coinDetails.update(id, { source }) });
  const price = figure(quote, 'price');
  const reachable = useReachable();
  const hearts = use(WatchlistSlot);
  const alerts = useAlertParts();
  const fired = new URLSearchParams(useLocation().search).get('alert');
  const [level, setLevel] = useState<AlertLevel>();
  const page = useRef<HTMLElement>(null);
  const wide = useWide();
  // Otherwise the pane keeps the scroll position of the coin before. On a phone, a coin is a page of its own.
  useLayoutEffect(() => {
    if (wide) page.current?.scrollIntoView();
  }, [wide]);
  const sections = [
    <CoinChart key="chart" coin={{ id, name, symbol }} level={level} />,
    <Converter
      key="converter"
      coin={coin}
      price={price && price.value * rateOf(price.currency)}
      currency={shownCode(price?.currency ?? 'USD')}
    />,
    <CoinStatistics key="statistics" state={state} coin={coin} details={details} isPartial={data.isPartial} />,
    details && source && <PriceSources key="sources" source={source} details={details} />,
    <div key="alerts">{alerts?.list(coin)}</div>,
  ];
  // The figures come in the first frame after a tap. A stored screen has shown what follows them.
  const count = useGrowing(undefined, sections.length, { first: firstScreen() ? sections.length : 0, step: 1 });

  return (
    <>
      <PageHeader
        title={<bdi>{name}</bdi>}
        onBack={() => goBack('/crypto')}
        action={
          <div className={styles.actions}>
            {alerts?.button(coin)}
            {hearts.heart(coin, details?.isWatchListed, state.refresh)}
          </div>
        }
      />
      {hearts.refused(id)}
      <article className={styles.page} ref={page}>
        <SourceLine source={source} savedAt={state.savedAt ?? listedAt} origin={state.origin} error={state.error} reachable={reachable} />
        <div className={styles.hero}>
          <CoinIcon id={id} name={name} symbol={symbol} size={56} />
          <div className={styles.names}>
            <bdi className={styles.name}>{name}</bdi>
            <bdi className={styles.symbol}>{formatSymbol(symbol)}</bdi>
          </div>
          <div className={styles.figures}>
            <span className={styles.price}>
              <Price value={price?.value} currency={price?.currency ?? 'USD'} />
            </span>
            <span className={styles.change}>
              <Change value={figure(quote, 'percent_change_24h')?.value} /> 24h
            </span>
          </div>
        </div>
        {fired && <div className={styles.fired}>{alerts?.fired(fired, id, setLevel)}</div>}
        {count === 0 && <CoinChartOutline />}
        {sections.slice(0, count)}
      </article>
    </>
  );
}

/** Returns the price alerts' parts once their code is loaded. Without it, the page works. */
function useAlertParts(): AlertParts | undefined {
  const load = use(AlertsSlot);
  const [parts, setParts] = useState<AlertParts>();
  useEffect(() => {
    load().then(
      ({ alertParts }) => setParts(alertParts),
      () => undefined,
    );
  }, [load]);
  return parts;
}

/** The outline of a coin's page while it loads. */
const DetailsSkeleton = () => (
  <>
    <PageHeader title="" onBack={() => goBack('/crypto')} />
    <div className={styles.page} role="status">
      <span className="sr-only">Loading</span>
      <div className={styles.sourcePlace} />
      <div className={styles.hero}>
        <Skeleton width={56} height={56} radius="50%" />
        <div className={styles.names}>
          <Skeleton width={140} height={20} />
          <Skeleton width={64} height={14} />
        </div>
        <div className={styles.figures}>
          <Skeleton width={200} height={36} />
          <Skeleton width={88} height={16} />
        </div>
      </div>
      <CoinChartOutline />
      <StatisticsOutline />
    </div>
  </>
);
