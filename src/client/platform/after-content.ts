import { contentShown } from './cache/first-content.ts';

/** How long anything may wait for the first screen's content, ms. */
const LONGEST_WAIT = 5_000;

/**
 * Resolves when the screen has its content and the page a moment to spare: on a slow line, what is not needed yet would
 * hold up what the first screen asked for.
 */
export async function afterContent(): Promise<void> {
  await idle(); // by then the page has said what it waits for
  await contentShown(LONGEST_WAIT);
  await idle();
}

/** Safari has no requestIdleCallback. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve, 200);
  });
