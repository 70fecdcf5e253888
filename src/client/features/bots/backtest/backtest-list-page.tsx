import { errorMessage } from '#client/platform/api/errors.ts';
import { useServerConfig } from '#client/platform/api/server-config.ts';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack } from '#client/platform/router/history.ts';
import { usePolledResource } from '#client/platform/use-polled-resource.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import type { Backtest } from '#contract/bots/backtest.ts';
import { formatSignedPercent } from '#domain/format/format-number.ts';
import { SectionCard } from '../section-card.tsx';
import { BacktestForm } from './backtest-form.tsx';
import { backtestList, isActive, pollBacktests } from './backtest-resources.ts';
import styles from './backtests.module.css';
import { detailOf, titleOf } from './settings-text.ts';

/** Starts a backtest, and lists the user's. */
export function BacktestListPage() {
  const list = usePolledResource(backtestList, {}, (data) => pollBacktests(data?.backtests ?? []));
  const config = useServerConfig()?.bots;
  const offline = !useReachable();
  const { data, error, refresh } = list;

  return (
    <>
      <PageHeader title="Backtest" onBack={() => goBack('/trading-bot')} />
      <div className={styles.page}>
        {data && (
          <>
            <SavedStamp savedAt={list.savedAt} origin={list.origin} offline={offline} />
            {error !== undefined && !offline && (
              <OutcomeNote
                quiet
                outcome={{ tone: 'pending', title: 'Your backtests could not be refreshed', detail: errorMessage(error) }}
              />
            )}
            <div className={styles.columns}>
              <SectionCard title="Backtest a bot">
                <BacktestForm candles={data.candles} usual={config?.interval} isBusy={data.backtests.some(isActive)} />
              </SectionCard>
              <SectionCard title="Your backtests">
                <Backtests backtests={data.backtests} />
              </SectionCard>
            </div>
          </>
        )}
        {list.isLoading && <SkeletonRows count={1} row={outline} />}
        {!list.isLoading && !data && (
          <ErrorState
            title="Your backtests could not be loaded"
            detail={errorMessage(error)}
            action={
              <Button busy={list.isValidating} onClick={() => void refresh()}>
                Try again
              </Button>
            }
          />
        )}
      </div>
    </>
  );
}

function Backtests({ backtests }: { backtests: readonly Backtest[] }) {
  const amounts = useAmounts();
  if (backtests.length === 0) return <p className={styles.note}>You have no backtests. The last 20 stay here, also offline.</p>;
  return (
    <ul className={styles.list}>
      {backtests.map((each) => (
        <li key={each.id}>
          <a className={styles.row} href={`/trading-bot/backtests/${each.id}`}>
            <span className={styles.what}>{titleOf(each.settings)}</span>
            <span className={styles.result}>{resultOf(each)}</span>
            <span className={styles.note}>{detailOf(each.settings, amounts)}</span>
            <Icon name="chevron-right" size={20} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Returns a backtest's total return, or its progress. */
function resultOf(backtest: Backtest): string {
  if (backtest.status === 'FAILED') return 'Failed';
  if (!backtest.performance) return backtest.status === 'QUEUED' ? 'Waiting' : `${Math.floor(backtest.progress * 100)}%`;
  return formatSignedPercent(backtest.performance.total_return * 100);
}

const outline = (
  <div className={styles.columns}>
    <Skeleton height={480} radius="var(--radius-card)" />
    <Skeleton height={160} radius="var(--radius-card)" />
  </div>
);
