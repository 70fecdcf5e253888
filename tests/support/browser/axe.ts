import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * What axe finds on the page as it is, in the dark theme and in the light one: one line per element, none when all is
 * well. The script comes in over the debugger, so the page's own content policy stays in force.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.evaluate(axe.source);
  problems.push(...(await look(page, 'dark', {})));
  // A theme is colours alone, so no other rule can say anything new of the second one.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  problems.push(...(await look(page, 'light', { runOnly: ['color-contrast', 'link-in-text-block'] })));
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return problems;
}

/** Only what is wrong leaves the page: what is right about a list of a hundred rows takes a second to tell. */
const look = (page: Page, theme: string, options: { runOnly?: string[] }): Promise<string[]> =>
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
