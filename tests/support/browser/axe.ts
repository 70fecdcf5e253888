import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * Returns the accessibility problems of the current page in both themes, one line per element.
 * The script is injected over the debugger, so the page keeps its own content policy.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.evaluate(axe.source);
  problems.push(...(await look(page, 'dark', {})));
  // Themes only differ in colors, so only contrast needs a second pass.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  problems.push(...(await look(page, 'light', { runOnly: ['color-contrast', 'link-in-text-block'] })));
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return problems;
}

/** Returns only violations: serializing the passes of a long list takes a second. */
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
