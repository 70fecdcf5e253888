import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { CONTENT_TIMEOUT, firstRowAt, markFirstRow } from '#tests/support/browser/first-row.ts';
import { holdTimers } from '#tests/support/browser/held-timers.ts';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shifts.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { noLivePrices } from '#tests/support/market/no-live-prices.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

test.use(WORKER_AT_NIGHT);

const fonts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.woff2'))
      .map(({ name, startTime }) => ({ name: name.replace(/^.*\/|-[\w-]{7}\.woff2$/g, ''), startTime })),
  );
const fontIsIn = (page: Page) =>
  page.waitForFunction(() => [...document.fonts].some(({ family, status }) => family.includes('Inter Variable') && status === 'loaded'));

test('the font is a subset that arrives after the list and moves nothing', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  await page.addInitScript(markFirstRow);
  await holdTimers(page, CONTENT_TIMEOUT);
  await watchShifts(page);
  await noLivePrices(page);
  await page.goto('/crypto');
  await fontIsIn(page);
  // The sign of bitcoin is in a file of its own, which comes before or after the other. The timeline hears of a file behind its font.
  const loaded = async () => (await fonts(page)).filter(({ name }) => name !== 'inter-bitcoin');
  await expect.poll(async () => (await loaded()).map(({ name }) => name)).toEqual(['inter-subset']);
  const row = await page.evaluate(firstRowAt);
  for (const { startTime } of await fonts(page)) expect(startTime).toBeGreaterThan(row);
  expect(await shiftsOf(page)).toEqual([]);
});

test('prices in bitcoin load their sign, and not the whole font', { tag: '@nightly' }, async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  await page.goto('/crypto?currency=BTC');
  await expect.poll(async () => (await fonts(page)).map(({ name }) => name).sort()).toEqual(['inter-bitcoin', 'inter-subset']);
});

test('the whole font loads once a name has a character that the subset lacks', { tag: '@nightly' }, async ({ page, app }) => {
  await signedIn(page, app, { ...newPerson(), firstName: 'Zoë' });
  await expect(page.getByRole('heading', { name: 'Zoë' })).toBeVisible();
  await expect.poll(async () => (await fonts(page)).map(({ name }) => name).sort()).toEqual(['inter-latin-wght-normal', 'inter-subset']);
});
