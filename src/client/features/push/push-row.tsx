import { type ReactNode, useEffect, useId, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { isInstalled, isInstalledByHand } from '#client/platform/pwa/installed.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { PRODUCT } from '#domain/product.ts';
import { type PushState, readPushState, turnPushOff, usePushState } from './push.ts';
import styles from './push-row.module.css';
import { tryPush } from './turn-on.ts';

/** Turns notifications on and off on this device, or says what keeps it from showing them. */
export function PushRow() {
  const state = usePushState();
  const heading = useId();
  useEffect(() => {
    // The user may have been to the browser's settings.
    const look = () => document.visibilityState === 'visible' && void readPushState().catch(() => undefined);
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return (
    <section aria-labelledby={heading}>
      <Card className={styles.card}>
        <h2 id={heading} className={styles.title}>
          Notifications on this device
        </h2>
        <Content state={state} />
      </Card>
    </section>
  );
}

const TEXTS: Record<Exclude<PushState, 'asking'>, ReactNode> = {
  off: 'Your device can tell you when an alert fires, a bot needs you or someone signs in, also while the app is closed. Others who see your screen can read it.',
  on: 'This device shows your notifications, also while the app is closed. They end when you log out.',
  denied: `Your browser does not let ${PRODUCT} show notifications.`,
  'home-screen': 'iPhone and iPad show notifications only for apps on the home screen.',
  unsupported: 'This browser cannot show notifications. You find them in the list, and can get them by e-mail.',
};

function Content({ state }: { state: PushState }) {
  if (state === 'asking') return <Skeleton width="80%" height={16} />;
  return (
    <>
      <p className={styles.text}>{TEXTS[state]}</p>
      {(state === 'denied' || state === 'home-screen') && <Steps steps={stepsOf(state)} />}
      {(state === 'on' || state === 'off') && <Action isOn={state === 'on'} />}
    </>
  );
}

function stepsOf(state: 'denied' | 'home-screen'): string[] {
  if (state === 'home-screen') {
    return [
      'Open the Share menu of your browser.',
      'Choose Add to Home Screen.',
      `Open ${PRODUCT} from the home screen, log in, and come back here.`,
    ];
  }
  if (isInstalledByHand())
    return ['Open the Settings app.', `Choose Notifications, then ${PRODUCT}.`, 'Allow notifications, and come back here.'];
  const place = isInstalled() ? 'the app settings in the menu of this window' : 'the site settings, beside the address';
  return [`Open ${place}.`, 'Allow notifications.', 'Come back here.'];
}

const Steps = ({ steps }: { steps: readonly string[] }) => (
  <ol className={styles.steps}>
    {steps.map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
);

function Action({ isOn }: { isOn: boolean }) {
  const offline = !useReachable();
  const reason = useId();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const act = async () => {
    setBusy(true);
    setFailure(undefined);
    setFailure(await (isOn ? turnPushOff() : tryPush()).then((why) => why ?? undefined));
    setBusy(false);
  };
  return (
    <>
      {isOn ? (
        <Button variant="secondary" busy={isBusy} onClick={() => void act()}>
          Turn off
        </Button>
      ) : (
        <RefusableButton refused={offline} reason={reason} busy={isBusy} onClick={() => void act()}>
          Turn on
        </RefusableButton>
      )}
      <RefusalReason id={reason}>{offline && !isOn && 'Turn notifications on when you are online.'}</RefusalReason>
      <p className={styles.failure} role="alert">
        {failure}
      </p>
    </>
  );
}
