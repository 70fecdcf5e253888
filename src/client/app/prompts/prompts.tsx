import { type ComponentType, type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { isOfferOpen, signedInByPassword } from '#client/platform/passkeys/offer.ts';
import { canUsePasskeys } from '#client/platform/passkeys/support.ts';
import { isFree, onFreedom } from '#client/platform/pwa/busy.ts';
import { useInstallOffer } from '#client/platform/pwa/install-offer.ts';
import { isInstalled, isInstalledByHand } from '#client/platform/pwa/installed.ts';
import { askToPersist } from '#client/platform/pwa/persistence.ts';
import { onRealUse } from '#client/platform/pwa/real-use.ts';
import { useWaitingUpdate } from '#client/platform/pwa/register-worker.ts';
import { useLocation } from '#client/platform/router/history.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { useValue } from '#client/platform/use-value.ts';
import { showsTabs } from '../match-route.ts';
import { InstallPrompt } from './install-prompt.tsx';
import { useRowMenuHint } from './row-menu-prompt.tsx';
import { UpdatePrompt } from './update-prompt.tsx';
import { usePushOffer } from './use-push-offer.tsx';

/** localStorage: the app was offered for installing on this device, which is done once. */
const OFFERED = 'install-offered';

/** Offers a new version, a passkey, the installation or notifications, or hints at menus, one at a time, when it does not interrupt the user. */
export function Prompts() {
  const update = useWaitingUpdate();
  const [later, setLater] = useState<() => void>();
  const install = useInstallPrompt();
  const passkey = usePasskeyOffer();
  const push = usePushOffer();
  const isOtherDue = (update !== undefined && update !== later) || install.isDue || passkey !== undefined || push !== undefined;
  const hint = useRowMenuHint(isOtherDue);
  return (
    <div role="status">
      {(isOtherDue || hint !== undefined) && (
        <Due
          update={update === later ? undefined : update}
          onLater={() => setLater(() => update)}
          install={install}
          passkey={passkey}
          push={push}
          hint={hint}
        />
      )}
    </div>
  );
}

interface DueProps {
  update: (() => void) | undefined;
  onLater: () => void;
  install: ReturnType<typeof useInstallPrompt>;
  passkey: ReactNode;
  push: ReactNode;
  hint: ReactNode;
}

function Due({ update, onLater, install, passkey, push, hint }: DueProps) {
  const free = useSyncExternalStore(onFreedom, isFree);
  const { pathname } = useLocation();
  if (!free) return null;
  if (update) return <UpdatePrompt update={update} onLater={onLater} />;
  // Only on pages of the tab bar: on others, the user is in the middle of a task.
  if (!showsTabs(pathname)) return null;
  if (passkey) return passkey;
  return install.isDue ? <InstallPrompt onShown={install.shown} onDone={install.done} /> : (push ?? hint);
}

/** Decides when to offer the installation: once per device, after the user got value from the app, never on entry. */
function useInstallPrompt() {
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.claims.sub : undefined;
  const offer = useInstallOffer();
  const [isOpen, setOpen] = useState(() => localStorage.getItem(OFFERED) === null && !isInstalled());
  const [used, setUsed] = useState(false);

  useEffect(() => {
    if (isOpen && userId) return onRealUse(userId, () => setUsed(true), Date.now());
  }, [isOpen, userId]);

  // An installed app should keep its data when the device runs short of space.
  useEffect(() => {
    if (isInstalled()) void askToPersist();
    const installed = () => {
      setOpen(false);
      void askToPersist();
    };
    window.addEventListener('appinstalled', installed);
    return () => window.removeEventListener('appinstalled', installed);
  }, []);

  const shown = useCallback(() => localStorage.setItem(OFFERED, new Date().toISOString()), []);
  return {
    isDue: isOpen && used && userId !== undefined && (offer !== undefined || isInstalledByHand()),
    shown,
    done: () => setOpen(false),
  };
}

/** Returns the offer of a passkey after a sign-in by password, and loads its code then. */
function usePasskeyOffer(): ReactNode {
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.claims.sub : undefined;
  const isAsked = useValue(signedInByPassword) && userId !== undefined && canUsePasskeys() && isOfferOpen(userId);
  const [loaded, setLoaded] = useState<{ PasskeyPrompt: ComponentType<{ userId: string; onDone: () => void }> }>();
  useEffect(() => {
    if (isAsked) import('./passkey-prompt.tsx').then(setLoaded, () => undefined);
  }, [isAsked]);
  const done = useCallback(() => signedInByPassword.set(false), []);
  return isAsked && loaded ? <loaded.PasskeyPrompt userId={userId} onDone={done} /> : undefined;
}
