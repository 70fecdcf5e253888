import { PRODUCT } from '#domain/product.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorState } from '../ui/feedback/page-state.tsx';

const tryAgain = <Button onClick={() => location.reload()}>Try again</Button>;

/** Tells the user that the browser blocks IndexedDB, which the session needs. */
export function StorageUnavailable() {
  return (
    <main>
      <ErrorState
        title={`${PRODUCT} cannot store anything here`}
        detail="Allow site data for this site, or open it in a window that is not private. Then try again."
        action={tryAgain}
      />
    </main>
  );
}

/** Tells the user that IndexedDB does not respond: another window may block it, the browser hangs, or the disk is full. */
export function StorageUnresponsive() {
  return (
    <main>
      <ErrorState
        title={`${PRODUCT} cannot reach what it stored here`}
        detail="Close all windows of this site, or restart the browser, and open it again. If the device is full, free some space. Your data is still on this device."
        action={tryAgain}
      />
    </main>
  );
}
