import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

/** Half the size of `axe.source`: every new document parses it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns what axe finds on the page in the dark theme and in the light one, one line per element.
 * The debugger injects the script, so the page's content policy stays in force.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const { hasAxe, ...media } = await page.evaluate(() => ({
    hasAxe: 'axe' in window,
    colorScheme: matchMedia('(prefers-color-scheme: dark)').matches ? ('dark' as const) : ('light' as const),
    reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches ? ('reduce' as const) : ('no-preference' as const),
  }));
  if (!hasAxe) await page.evaluate(AXE);
  // What is about to be replaced is dimmed meanwhile.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[aria-busy=true]')].every((element) => getComputedStyle(element).opacity === '1'),
  );
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const problems = await runAxe(page, 'dark', {});
  // Themes differ in colors alone, so the other rules cannot find anything new.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  problems.push(...(await runAxe(page, 'light', { runOnly: ['color-contrast', 'link-in-text-block'] })));
  await page.emulateMedia(media);
  return problems;
}

/** Returns only violations: serializing the passes of a list of a hundred rows takes a second. */
const runAxe = (page: Page, theme: string, options: { runOnly?: string[] }): Promise<string[]> =>
  page.evaluate(
    async ([theme, options]) => {
      const { violations } = await window.axe.run({ resultTypes: ['violations'], ...options });
      return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${theme} ${id}: ${help}: ${target.join(' ')}`));
    },
    [theme, options] as const,
  );

declare global {
  interface Window {
    axe: typeof axe;
  }
}
