import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

interface Marks {
  shift: number;
  /** When the first row was there, ms. */
  contentAt?: number;
}

function watch() {
  const marks: Marks = { shift: 0 };
  Object.assign(window, { marks });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) marks.shift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    if (document.querySelector('a[href^="/crypto/details/"]')) marks.contentAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const fonts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.woff2'))
      .map(({ name, startTime }) => ({ name: name.replace(/^.*\/|-[\w-]{8}\.woff2$/g, ''), startTime })),
  );
const fontIsIn = (page: Page) =>
  page.waitForFunction(() => [...document.fonts].some(({ family, status }) => family.includes('Inter Variable') && status === 'loaded'));

test('the font is a subset that arrives after the list and moves nothing', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  await page.addInitScript(watch);
  await page.goto('/crypto');
  await fontIsIn(page);
  const { shift, contentAt } = await page.evaluate(() => (window as unknown as { marks: Marks }).marks);
  const [font, ...others] = await fonts(page);
  expect(others).toEqual([]);
  expect(font?.name).toBe('inter-subset');
  expect(font?.startTime).toBeGreaterThan(contentAt ?? Number.POSITIVE_INFINITY);
  expect(shift).toBe(0);
});

test('the whole font loads once a name has a character that the subset lacks', async ({ page, app }) => {
  await signedIn(page, app, { ...newPerson(), firstName: 'Zoë' });
  await expect(page.getByRole('heading', { name: 'Zoë' })).toBeVisible();
  await expect.poll(async () => (await fonts(page)).map(({ name }) => name).sort()).toEqual(['inter-latin-wght-normal', 'inter-subset']);
});
