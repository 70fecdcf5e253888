import type { BrowserContext, Page } from '@playwright/test';
import { workerOf } from './worker-ready.ts';

/**
 * Holds the timers of exactly `held` ms in the documents that the page opens from now on: what such a timer ends stays on the screen,
 * and what it gives up waits, however late a busy machine is. The returned function runs those of the current document.
 */
export async function holdTimers(page: Page, ...held: number[]): Promise<() => Promise<void>> {
  await page.addInitScript((held) => {
    const original = window.setTimeout;
    const works: (() => void)[] = [];
    window.setTimeout = ((work: () => void, wait?: number, ...rest: unknown[]) =>
      wait !== undefined && held.includes(wait) ? works.push(work) && 0 : original(work, wait, ...rest)) as typeof original;
    Object.assign(window, { letTimersGo: () => works.splice(0).forEach((work) => void work()) });
  }, held);
  return () => page.evaluate(() => (window as unknown as { letTimersGo(): void }).letTimersGo());
}

/** Lets the timers of exactly `dropped` ms never end in the app's worker, which gives up by them what a busy machine brings late. */
export async function dropWorkerTimers(context: BrowserContext, ...dropped: number[]): Promise<void> {
  await (await workerOf(context)).evaluate((dropped) => {
    const original = self.setTimeout;
    self.setTimeout = ((work: () => void, wait?: number, ...rest: unknown[]) =>
      wait !== undefined && dropped.includes(wait) ? 0 : original(work, wait, ...rest)) as typeof original;
  }, dropped);
}

/** Stops the stopwatch of the page's document, by which the app gives up after a second to scroll back to a place (router/places.ts). */
export const stopStopwatch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
  });
