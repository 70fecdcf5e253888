import type { Page } from '@playwright/test';

/**
 * Holds the timers of exactly `ms` in the documents that the page opens from now on: what such a timer ends stays on the screen,
 * however late a busy machine looks. The returned function runs those of the current document.
 */
export async function holdTimers(page: Page, ms: number): Promise<() => Promise<void>> {
  await page.addInitScript((held) => {
    const original = window.setTimeout;
    const works: (() => void)[] = [];
    window.setTimeout = ((work: () => void, wait?: number, ...rest: unknown[]) =>
      wait === held ? works.push(work) && 0 : original(work, wait, ...rest)) as typeof original;
    Object.assign(window, { letTimersGo: () => works.splice(0).forEach((work) => void work()) });
  }, ms);
  return () => page.evaluate(() => (window as unknown as { letTimersGo(): void }).letTimersGo());
}
