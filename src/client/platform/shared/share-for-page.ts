import { readShare, type Share } from './inbox.ts';

/**
 * Returns the waiting share, unless it came after this page: then it has opened a page of its own, which the user sees and which takes it.
 * If that page ends first, the next one that opens takes it.
 */
export async function readShareForPage(now: number): Promise<Share | undefined> {
  const share = await readShare(now);
  return share && share.receivedAt <= parsedAt() ? share : undefined;
}

/** Returns when the browser had parsed this page, ms. It parses the page that a share opens once the share is stored. */
function parsedAt(): number {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return Date.now() - performance.now() + (visit?.domInteractive ?? 0);
}
