import { useId, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { useMinutes } from '#client/ui/hooks/use-minutes.ts';
import { Card } from '#client/ui/layout/card.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { ConfirmDialog } from '#client/ui/overlays/dialog.tsx';
import type { Device } from '#contract/account/sessions.ts';
import { DeviceRow, deviceRowOutline, nameOf } from './device-row.tsx';
import { devices, signOutDevice, signOutOthers } from './devices.ts';
import styles from './devices-page.module.css';
import { PasskeysSection } from './passkeys/passkeys-section.tsx';

type Asked = Device | 'others';

/** `/settings/devices`: lists the signed-in devices and signs them out. */
export default function DevicesPage() {
  const userId = useClaims().sub;
  const list = useResource(devices, { userId });
  const offline = !useReachable();
  const [asked, ask] = useState<Asked>();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  const signOut = async (which: Asked) => {
    const db = userDb(userId);
    setBusy(true);
    setOutcome(undefined);
    try {
      await (which === 'others' ? signOutOthers(db) : signOutDevice(db, which));
      const title = which === 'others' ? 'All other devices are signed out.' : `${nameOf(which)} is signed out.`;
      setOutcome({ tone: 'done', title });
    } catch (error) {
      setOutcome({ tone: 'failed', title: `${errorMessage(error)} Nothing was signed out.` });
    }
    setBusy(false);
    ask(undefined);
    void list.refresh();
  };

  return (
    <>
      <PageHeader title="Signed-in devices" onBack={() => goBack('/settings/account')} />
      <div className={styles.page}>
        <SavedStamp savedAt={list.savedAt} origin={list.origin} offline={offline} />
        <p className={styles.quiet}>
          These devices can use your account. If you don’t recognize one, sign it out and{' '}
          <a href="/settings/profile">change your password</a>.
        </p>
        {outcome && <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />}
        <Content list={list} offline={offline} onAsk={ask} />
        <PasskeysSection />
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        title={asked === 'others' ? 'Sign out all other devices' : 'Sign out this device'}
        confirm="Sign out"
        danger
        busy={isBusy}
        onConfirm={() => asked && void signOut(asked)}
        onClose={() => ask(undefined)}
      >
        <p>{asked && consequence(asked)}</p>
      </ConfirmDialog>
    </>
  );
}

const consequence = (asked: Asked): string =>
  asked === 'others'
    ? 'Every device but this one is signed out and has to log in again. Messages they have not sent yet stay on them.'
    : `${nameOf(asked)} is signed out and has to log in again. Messages it has not sent yet stay on it.`;

interface ContentProps {
  list: ResourceState<Device[]>;
  offline: boolean;
  onAsk: (asked: Asked) => void;
}

function Content({ list, offline, onAsk }: ContentProps) {
  const now = useMinutes();
  const reason = useId();
  if (list.isLoading) {
    return (
      <Card className={styles.list}>
        <SkeletonRows count={3} row={deviceRowOutline} />
      </Card>
    );
  }
  if (!list.data && offline) return <EmptyState title="You are offline. Your devices show here when you are back online." />;
  if (!list.data) {
    return (
      <ErrorState
        title="Your devices could not be loaded"
        detail={`${errorMessage(list.error)} All of them stay signed in.`}
        action={<Button onClick={() => void list.refresh()}>Try again</Button>}
      />
    );
  }
  const hasOthers = list.data.some(({ current }) => !current);
  return (
    <>
      <RefusalReason id={reason}>{offline && hasOthers && 'You can sign out devices once you are online.'}</RefusalReason>
      {hasOthers ? (
        <RefusableButton variant="secondary" block refused={offline} reason={reason} onClick={() => onAsk('others')}>
          Sign out all other devices
        </RefusableButton>
      ) : (
        <p className={styles.quiet}>No other device is signed in.</p>
      )}
      <Card className={styles.list}>
        <ul aria-label="Signed-in devices">
          {list.data.map((device) => (
            <DeviceRow key={device.id} device={device} now={now} offline={offline} reason={reason} onSignOut={() => onAsk(device)} />
          ))}
        </ul>
      </Card>
    </>
  );
}
