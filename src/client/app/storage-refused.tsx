import { PRODUCT } from '../../domain/product';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/state';

/** Shown when the browser refuses IndexedDB, without which there is nowhere to keep a session. */
export function StorageRefused() {
  return (
    <main>
      <ErrorState
        title={`${PRODUCT} cannot store anything here`}
        detail="This browser refuses storage to this site, often in a private window or with site data blocked. Allow it, or open the page in another window, and try again."
        action={<Button onClick={() => location.reload()}>Try again</Button>}
      />
    </main>
  );
}
