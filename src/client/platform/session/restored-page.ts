import { onPageCache } from '../page-cache.ts';
import { currentUserId, startSession } from './session.ts';
import { broadcastSignOut } from './sign-out-in-other-tabs.ts';

/** How long the device's storage may take before the page loads again, ms. */
const STORAGE_TIMEOUT = 3_000;

/**
 * Hides the page while the browser caches it, and shows it again after checking the session: the user may have signed out
 * in another tab meanwhile. Call it once, at boot.
 */
export function guardCachedPage(): void {
  const { dataset } = document.documentElement;
  let user: string | undefined;
  onPageCache({
    freeze() {
      user = currentUserId();
      dataset.cached = '';
    },
    resume() {
      const late = setTimeout(() => location.reload(), STORAGE_TIMEOUT);
      restore(user)
        .then(
          () => delete dataset.cached,
          () => location.reload(), // the start explains storage that does not work
        )
        .finally(() => clearTimeout(late));
    },
  });
}

async function restore(user: string | undefined): Promise<void> {
  await startSession();
  if (!user || currentUserId() === user) return;
  broadcastSignOut(user);
  // Live queries of the page have opened the user's deleted database again.
  const { deleteIfEmpty } = await import('../db/user-db.ts');
  await deleteIfEmpty(user);
}
