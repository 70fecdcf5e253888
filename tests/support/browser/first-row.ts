/** How long what follows the first screen waits for its content, ms (src/client/platform/after-content.ts). */
export const CONTENT_TIMEOUT = 5_000;

/** Marks in the page's timeline when the first row of the market is in the document. Runs before the page's own scripts. */
export function markFirstRow(): void {
  // A frame may come late, after what the row has let start.
  new MutationObserver((_, observer) => {
    if (!document.querySelector('ul[aria-label="Coins"] a')) return;
    performance.mark('first row');
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

/** Returns when that was, in ms, or NaN before. Runs in the page. */
export const firstRowAt = (): number => performance.getEntriesByName('first row')[0]?.startTime ?? Number.NaN;
