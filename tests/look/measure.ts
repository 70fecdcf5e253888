import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { drawn, layoutProblems } from '../support/browser/layout-problems.ts';
import { pathOf, type Shot } from './sheets.ts';

/** Takes a screenshot and returns layout errors: overflowing elements and clipped text. */
export async function measure(page: Page, dir: string, shot: Shot): Promise<string[]> {
  await drawn(page);
  const path = join(dir, pathOf(shot));
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path, animations: 'disabled' });
  return layoutProblems(page);
}
