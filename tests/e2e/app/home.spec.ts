import { expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shifts.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { takenOver } from '#tests/support/browser/taken-over.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { test } from '../fixtures.ts';
import { DESKTOP } from '../sizes.ts';

/** Notes layout shifts, and holds requests back until the gate opens. */
async function holdBack(page: Page, requests: string) {
  await watchShifts(page);
  const gate = createGate();
  await page.route(requests, async (route) => {
    await gate.passed;
    await route.continue();
  });
  return gate;
}

test('home greets the user, every link opens a page, and home opens offline', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  await expect(page.getByRole('heading', { name: 'Ada King' })).toBeVisible();
  await expect(page.getByText('Welcome back')).toHaveCount(0); // the account is new
  await expect(page.getByRole('link', { name: /^Trading Bot Free trial: Limited time access/ })).toBeVisible();
  await expect(page.getByText('No recent chats here!')).toBeVisible();

  const cards: [RegExp, string][] = [
    [/^Running bots/, '/trading-bot'],
    [/^See all coins/, '/crypto'],
    [/^See all watched coins/, '/crypto/watchlist'],
    [/^Chat by Image/, '/chat'],
    [/^Discover Crypto Market/, '/crypto'],
    [/^Chart Analysis/, '/training-insight'],
    [/^Trading Bot/, '/trading-bot'],
    [/^See All/, '/archive'],
    [/^New Chat/, '/chat'],
    [/^Notifications/, '/settings/notification'],
  ];
  for (const [name, href] of cards) {
    await page.getByRole('link', { name }).click();
    await expect(page).toHaveURL(href);
    await expect(page.getByRole('menuitem', { name: 'Gallery' })).toHaveCount(name.test('Chat by Image') ? 1 : 0);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByText('404 - Page Not Found')).toHaveCount(0);
    await page.goto('/home');
  }

  await workerReady(page);
  // A list shows before it is stored.
  await listStored(page);
  await context.setOffline(true);
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Ada King' })).toBeVisible();
  await takenOver(page);
  await expect(page.getByText('No recent chats here!')).toBeVisible();
  await expect(page.getByText(/^Offline · saved /)).toHaveCount(2); // the watchlist's and the chats'
  await expect(page.getByRole('list', { name: 'Top movers' }).getByRole('link')).toHaveCount(6);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.describe('on a wide window', () => {
  test.use(DESKTOP);

  test('the tiles keep their place when their figures come', async ({ page, app, reader }) => {
    const gate = await holdBack(page, '**/api/**/totals*');
    await openAs(page, app, reader);
    const tile = page.getByRole('link', { name: /^BTC dominance/ });
    await expect(tile.locator('[data-skeleton]').first()).toBeVisible();
    gate.open();
    await expect(tile).toContainText('%');
    expect((await shiftsOf(page)).filter((shift) => /value|detail/.test(shift))).toEqual([]);
  });
});

for (const width of [320, 390])
  test(`at ${width} px, the watchlist keeps its place when its source comes`, async ({ page, app, reader }) => {
    await page.setViewportSize({ width, height: 844 });
    const gate = await holdBack(page, '**/api/**/watchlist*');
    await openAs(page, app, reader);
    const watchlist = page.getByRole('region', { name: 'Watchlist' });
    await expect(watchlist.locator('[data-skeleton]').first()).toBeVisible();
    gate.open();
    await expect(watchlist.getByText('Demo data')).toBeVisible();
    expect((await shiftsOf(page)).filter((shift) => /stamp|demo|rows/.test(shift))).toEqual([]);
  });
