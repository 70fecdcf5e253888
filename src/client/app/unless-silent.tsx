import type { Root } from 'react-dom/client';

/** Longer than the slowest of devices needs to open its databases, ms. */
const PATIENCE = 10_000;

/** Waits for an answer of the device's storage. While there is none for long, the screen says so in the place of all else. */
export async function unlessSilent(root: Pick<Root, 'render'>, answer: PromiseLike<unknown> | undefined): Promise<void> {
  let isWaiting = true;
  setTimeout(async () => {
    if (!isWaiting) return;
    const { StorageSilent } = await import('./storage-refused');
    if (isWaiting) root.render(<StorageSilent />);
  }, PATIENCE);
  try {
    await answer;
  } finally {
    isWaiting = false;
  }
}
