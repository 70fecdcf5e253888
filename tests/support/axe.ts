import type { Page } from '@playwright/test';
import axe, { type AxeResults } from 'axe-core';

/**
 * What axe finds on the page as it is, in the dark theme and in the light one: one line per element, none when all is
 * well. The script comes in over the debugger, so the page's own content policy stays in force.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    for (const { id, help, nodes } of violations)
      problems.push(...nodes.map((node) => `${colorScheme} ${id}: ${help}: ${node.target.join(' ')}`));
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return problems;
}
