import { afterContent, idle } from './after-content.ts';

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Whether requests ahead of a tap cost the user nothing: the worker answers them from its cache, or the network is good. */
const isFree = (): boolean => Boolean(navigator.serviceWorker?.controller) || isDataCheap();

/** Returns false while the user saves data or the network is slow. */
export function isDataCheap(): boolean {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Connection }).connection ?? {};
  return !saveData && !effectiveType.endsWith('2g');
}

/**
 * Loads code that the next tap may need: after the first screen's content, one file each idle period. A file that fails
 * loads again with the tap. Returns a function that stops it.
 */
export function preloadWhenIdle(loads: readonly (() => Promise<unknown>)[]): () => void {
  let isStopped = false;
  void (async () => {
    await afterContent();
    for (const load of loads) {
      if (isStopped || !isFree()) return;
      await load().catch(() => undefined);
      await idle();
    }
  })();
  return () => {
    isStopped = true;
  };
}
