import type { Root } from 'react-dom/client';

/** The slowest devices open their databases within this time, ms. */
const STORAGE_TIMEOUT = 10_000;

/**
 * Waits for the device's storage. If it does not respond within 10 s, shows an error until it does.
 * Returns whether the error was shown; rejects if the storage fails.
 */
export async function awaitStorage(root: Pick<Root, 'render'>, answer: PromiseLike<unknown> | undefined): Promise<boolean> {
  let isWaiting = true;
  let isTold = false;
  const late = setTimeout(async () => {
    const { StorageUnresponsive } = await import('./storage-errors.tsx');
    if (!isWaiting) return;
    isTold = true;
    root.render(<StorageUnresponsive />);
  }, STORAGE_TIMEOUT);
  try {
    await answer;
    return isTold;
  } finally {
    isWaiting = false;
    clearTimeout(late);
  }
}
