import { useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack } from '#client/platform/router/history.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { Section } from '#client/ui/layout/section.tsx';
import { MAX_ALERTS } from '#contract/alerts/alert-limits.ts';
import { AlertHistory } from './alert-history.tsx';
import { AlertList, RefusedAlerts } from './alert-list.tsx';
import styles from './alerts.module.css';
import type { AlertsData } from './alerts-resource.ts';
import { AlertDialog } from './form/alert-dialog.tsx';
import { useAlerts } from './use-alerts.ts';

/** `/settings/alerts`: the user's price alerts, and when they fired. */
export default function AlertsPage() {
  const { list, history } = useAlerts();
  const offline = !useReachable();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PageHeader title="Price Alerts" onBack={() => goBack('/settings/account')} />
      <div className={styles.page}>
        <SavedStamp savedAt={list.savedAt} origin={list.origin} offline={offline} />
        <p className={styles.quiet}>
          Set an alert on a coin’s page, by a long press or right-click on a coin in a list, or at a level in a chat. You get a notification
          when its price reaches your level. You can have {MAX_ALERTS} alerts.
        </p>
        <div className={styles.tools}>
          <Button variant="secondary" icon="plus" onClick={() => setOpen(true)}>
            Watchlist alert
          </Button>
          <ButtonLink variant="secondary" href="/crypto" icon="search">
            Choose a coin
          </ButtonLink>
        </div>
        <RefusedAlerts refused={list.data?.refused ?? []} />
        <Alerts list={list} />
        {history.data && history.data.length > 0 && (
          <Section title="History">
            <AlertHistory firings={history.data} />
          </Section>
        )}
      </div>
      {isOpen && <AlertDialog coin={null} onClose={() => setOpen(false)} />}
    </>
  );
}

const outline = (
  <span className={styles.row}>
    <span className={styles.words}>
      <Skeleton width="32%" height={16} />
      <Skeleton width="64%" height={16} />
      <Skeleton width="24%" height={12} />
    </span>
  </span>
);

function Alerts({ list }: { list: ResourceState<AlertsData> }) {
  if (list.isLoading)
    return (
      <Section title="Alerts">
        <SkeletonRows count={3} row={outline} />
      </Section>
    );
  if (!list.data)
    return (
      <ErrorState
        title="Your alerts could not be loaded"
        detail={`${errorMessage(list.error)} They stay on.`}
        action={<Button onClick={() => void list.refresh()}>Try again</Button>}
      />
    );
  return <Listed data={list.data} />;
}

/** The list stays mounted when it is empty, so that Undo of the last alert stays. */
function Listed({ data }: { data: AlertsData }) {
  const [hadAlerts, setHadAlerts] = useState(data.alerts.length > 0);
  if (!hadAlerts && data.alerts.length > 0) setHadAlerts(true);
  if (!hadAlerts) return <EmptyState title="No price alerts yet" />;
  return (
    <Section title="Alerts">
      <AlertList alerts={data.alerts} label="Price alerts" hasCoins />
    </Section>
  );
}
