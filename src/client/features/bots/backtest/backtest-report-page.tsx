import { useId, useState } from 'react';
import { errorMessage, isMissing } from '#client/platform/api/errors.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack, history } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { usePolledResource } from '#client/platform/use-polled-resource.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import type { Backtest, BacktestReport } from '#contract/bots/backtest.ts';
import { backtestReport, deleteBacktest, isActive, pollBacktests } from './backtest-resources.ts';
import { BacktestResult } from './backtest-result.tsx';
import styles from './backtests.module.css';
import { detailOf, formAddress, titleOf } from './settings-text.ts';

const LIST = '/trading-bot/backtests';

/** One backtest: its progress, then its result, also offline. */
export function BacktestReportPage({ id }: { id: string }) {
  const report = usePolledResource(backtestReport, { id }, (data) => pollBacktests(data ? [data.backtest] : []));
  const offline = !useReachable();
  const { data, error, refresh } = report;
  const isGone = isMissing(error);

  return (
    <>
      <PageHeader title="Backtest" onBack={() => goBack(LIST)} />
      <div className={styles.page}>
        {data && !isGone && (
          <>
            <SavedStamp savedAt={report.savedAt} origin={report.origin} offline={offline} />
            <Report report={data} />
          </>
        )}
        {report.isLoading && <SkeletonRows count={1} row={outline} />}
        {!report.isLoading && (!data || isGone) && (
          <ErrorState
            title={isGone ? 'This backtest no longer exists' : 'This backtest could not be loaded'}
            detail={isGone ? undefined : errorMessage(error)}
            action={
              isGone ? <ButtonLink href={LIST}>Back to backtests</ButtonLink> : <Button onClick={() => void refresh()}>Try again</Button>
            }
          />
        )}
      </div>
    </>
  );
}

function Report({ report: { backtest, result } }: { report: BacktestReport }) {
  const heading = useId();
  const amounts = useAmounts();
  return (
    <>
      <Card className={styles.head} role="region" aria-labelledby={heading}>
        <h2 id={heading}>{titleOf(backtest.settings)}</h2>
        <p className={styles.note}>{detailOf(backtest.settings, amounts)}</p>
        {isActive(backtest) && <Running backtest={backtest} />}
        {backtest.status === 'FAILED' && <FormError>{backtest.reason ?? 'The backtest failed.'}</FormError>}
        <Actions backtest={backtest} />
      </Card>
      {result && <BacktestResult result={result} start={Number(backtest.settings.position_size)} />}
    </>
  );
}

function Running({ backtest: { status, progress } }: { backtest: Backtest }) {
  const isWaiting = status === 'QUEUED';
  return (
    <div className={styles.running} role="status">
      <Progress value={isWaiting ? null : progress} aria-label="Backtest" />
      <p className={styles.note}>
        {isWaiting ? 'Waiting for other backtests to finish.' : `${Math.floor(progress * 100)}% done. You can leave this page.`}
      </p>
    </div>
  );
}

function Actions({ backtest }: { backtest: Backtest }) {
  const userId = useClaims().sub;
  const [isDeleting, setDeleting] = useState(false);
  const [failure, setFailure] = useState<Outcome>();
  const reachable = useReachable();
  const reason = useId();
  const active = isActive(backtest);

  async function remove() {
    setDeleting(true);
    setFailure(undefined);
    try {
      await deleteBacktest(userDb(userId), backtest.id);
      history.replace(LIST);
    } catch (error) {
      setFailure({ tone: 'failed', title: `The backtest was not ${active ? 'canceled' : 'deleted'}`, detail: errorMessage(error) });
      setDeleting(false);
    }
  }

  return (
    <>
      {failure && <OutcomeNote outcome={failure} />}
      <div className={styles.actions}>
        {!active && (
          <ButtonLink variant="secondary" href={formAddress(backtest.settings)}>
            Change settings
          </ButtonLink>
        )}
        <RefusableButton variant="secondary" refused={!reachable} reason={reason} busy={isDeleting} onClick={() => void remove()}>
          {active ? 'Cancel' : 'Delete'}
        </RefusableButton>
      </div>
      <RefusalReason id={reason}>{!reachable && 'You can change backtests once you are online.'}</RefusalReason>
    </>
  );
}

const outline = (
  <div className={styles.outline}>
    <Skeleton height={140} radius="var(--radius-card)" />
    <Skeleton height={280} radius="var(--radius-card)" />
  </div>
);
