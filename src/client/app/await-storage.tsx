import type { Root } from 'react-dom/client';

/** The slowest devices open their databases within this time, ms. */
const STORAGE_TIMEOUT = 10_000;

const RETRY_AFTER = 500; // ms

/**
 * Opens storage, again and again while the browser reports an error inside itself: it may have just been killed and
 * started, and another process still has its files. Rejects if the browser denies storage.
 */
export async function openUntilDenied<T>(open: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isInternal(error) || isDenied()) throw error;
      console.error('the device database could not be opened yet', error);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
  }
}

const isInternal = (error: unknown) => error instanceof DOMException && error.name === 'UnknownError';

/** Chromium reports denied site data as the same error; there, localStorage throws. */
function isDenied(): boolean {
  try {
    return !localStorage;
  } catch {
    return true;
  }
}

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
