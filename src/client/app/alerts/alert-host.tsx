import { useEffect, useState } from 'react';
import { type AlertRequest, alertRequest } from '#client/platform/alert-request.ts';
import { rowMenuKnown } from '#client/platform/device-choices/row-menu-known.ts';
import { lateComponent } from '#client/platform/late-component.tsx';
import { history } from '#client/platform/router/history.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { toast } from '#client/platform/toast.ts';
import { useValue } from '#client/platform/use-value.ts';
import { onRowMenu, type RowMenuTarget } from './on-row-menu.ts';

const { component: RequestDialog, load } = lateComponent<{ request: AlertRequest; onClose: () => void }>(() =>
  import('./alert-request-dialog.tsx').then((module) => ({ default: module.AlertRequestDialog })),
);
const { component: CoinMenu, load: loadMenu } = lateComponent<{ target: RowMenuTarget; onClose: () => void }>(() =>
  import('./coin-menu.tsx').then((module) => ({ default: module.CoinMenu })),
);

const close = () => alertRequest.set(undefined);

/** Shows the form of `askForAlert`, and the menu of a coin's row, to a signed-in user. Their code loads with the first use. */
export function AlertHost() {
  const isSignedIn = useSession().status === 'signed-in';
  const request = useValue(alertRequest);
  const [target, setTarget] = useState<RowMenuTarget>();
  const isWanted = isSignedIn && (request !== undefined || target !== undefined);
  const [isLoaded, setLoaded] = useState(false);

  useEffect(() => {
    if (!isSignedIn) return close();
    const stop = onRowMenu((row) => {
      setTarget(row);
      rowMenuKnown.set(true);
    });
    const leave = history.listen(() => {
      close();
      setTarget(undefined);
    });
    return () => {
      stop();
      leave();
    };
  }, [isSignedIn]);

  useEffect(() => {
    if (!isWanted || isLoaded) return;
    Promise.all([load(), loadMenu()]).then(
      () => setLoaded(true),
      () => {
        close();
        setTarget(undefined);
        toast('Alerts could not load. Check your connection and try again.');
      },
    );
  }, [isWanted, isLoaded]);

  if (!isWanted || !isLoaded) return null;
  return (
    <>
      {target && <CoinMenu key={target.coinId} target={target} onClose={() => setTarget(undefined)} />}
      {request && <RequestDialog request={request} onClose={close} />}
    </>
  );
}
