import type { Root } from 'react-dom/client';

/** Longer than the slowest of devices needs to open its databases, ms. */
const PATIENCE = 10_000;

/**
 * Waits for an answer of the device's storage. While there is none for long, the screen says so in the place of all else.
 * Resolves to whether it did; rejects with the answer.
 */
export async function awaitStorage(root: Pick<Root, 'render'>, answer: PromiseLike<unknown> | undefined): Promise<boolean> {
  let isWaiting = true;
  let isTold = false;
  const late = setTimeout(async () => {
    const { StorageUnresponsive } = await import('./storage-errors.tsx');
    if (!isWaiting) return;
    isTold = true;
    root.render(<StorageUnresponsive />);
  }, PATIENCE);
  try {
    await answer;
    return isTold;
  } finally {
    isWaiting = false;
    clearTimeout(late);
  }
}
