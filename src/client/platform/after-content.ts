import { FRAME_TIMEOUT } from './after-frame.ts';
import { contentShown } from './cache/first-content.ts';
import { afterTakeOver } from './first-screen/after-take-over.ts';

/** The longest wait for the first screen's content, ms. */
const CONTENT_TIMEOUT = 5_000;

/**
 * Resolves when the app shows its first screen's content and the page is idle. Earlier requests would delay those of the
 * first screen on a slow connection, and the take-over of a stored screen on a slow device.
 */
export async function afterContent(): Promise<void> {
  await idle(); // by then the components have called awaitContent
  await contentShown(CONTENT_TIMEOUT);
  await frame();
  await idle();
}

/** Resolves after the app's next frame: the browser may be idle before it draws the content, and while a stored screen hides it. */
const frame = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, FRAME_TIMEOUT);
    afterTakeOver(resolve);
  });

/** Resolves when the page is idle. Safari has no requestIdleCallback. */
export const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve, 200);
  });
