import { PRODUCT } from '#domain/product.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorState } from '../ui/feedback/page-state.tsx';

const tryAgain = <Button onClick={() => location.reload()}>Try again</Button>;

/** Shown when the browser refuses IndexedDB, without which there is nowhere to keep a session. */
export function StorageUnavailable() {
  return (
    <main>
      <ErrorState
        title={`${PRODUCT} cannot store anything here`}
        detail="This browser refuses storage to this site, often in a private window or with site data blocked. Allow it, or open the page in another window, and try again."
        action={tryAgain}
      />
    </main>
  );
}

/** Shown when IndexedDB neither opens nor refuses: another window may hold it, or the browser itself hangs. */
export function StorageUnresponsive() {
  return (
    <main>
      <ErrorState
        title={`${PRODUCT} cannot reach what it stored here`}
        detail="It is still there, but the browser has not answered for a while. Close every window of this site, or the whole browser, and open it again."
        action={tryAgain}
      />
    </main>
  );
}
