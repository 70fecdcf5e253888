import { expect, type Page } from '@playwright/test';
import { openAs } from '#tests/support/accounts/signed-in.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { test } from '../fixtures.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Coins' }).getByRole('link');
const field = (page: Page, group: RegExp, label: string) => page.getByRole('group', { name: group }).getByLabel(label);
const REST = 'Loading the rest of the list…';

/** Opens the market with its filter. Returns the bodies of the requests for lists from then on; `hold` leaves the later ones without an answer. */
async function openFilter(page: Page) {
  await expect(rows(page)).toHaveCount(100);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: /coins match/ })).toBeVisible();
  const asked: Record<string, number>[] = [];
  const held: (() => void)[] = [];
  let isHeld = false;
  await page.route('**/coin-market/get-data', async (route) => {
    asked.push(route.request().postDataJSON());
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  return {
    asked,
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const go of held.splice(0)) go();
    },
  };
}

test('applied filters show the rows that came with the count, and ask for the others behind them', async ({ page, app, reader }) => {
  await openAs(page, app, reader, '/crypto');
  const lists = await openFilter(page);
  await field(page, /^Price/, 'Max').fill('1');
  const count = page.getByRole('status').filter({ hasText: /^\d+ coins match/ });
  await expect.poll(() => lists.asked.filter(({ priceMax }) => priceMax === 1).length).toBe(1);
  await expect(count).toHaveText(/^\d+ coins match\. The list shows 100$|^[2-9]\d coins match$/);
  lists.hold();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\?priceMax=1$/);
  await expect(page.getByText(REST)).toBeVisible();
  await expect(rows(page)).toHaveCount(20);
  await expect(rows(page).first()).toContainText('$0.');

  lists.release();
  await expect(page.getByText(REST)).toHaveCount(0);
  expect(await rows(page).count()).toBeGreaterThan(20);
  expect(lists.asked.map(({ limit, priceMax }) => [limit, priceMax])).toEqual([
    [20, 1],
    [100, 1],
  ]);
});

test('few matches are all here with the count, and stay on the device', async ({ page, app, reader }) => {
  await openAs(page, app, reader, '/crypto');
  const lists = await openFilter(page);
  await field(page, /^Price/, 'Min').fill('100');
  const count = page.getByRole('status').filter({ hasText: /^\d+ coins match$/ });
  await expect.poll(() => lists.asked.filter(({ priceMin }) => priceMin === 100).length).toBe(1);
  await expect(count).toHaveText(/^1?\d coins match$/);
  const matches = Number.parseInt(await count.innerText(), 10);
  lists.hold();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(rows(page)).toHaveCount(matches);
  await expect(page.getByText(REST)).toHaveCount(0);
  await deviceHas(page, 'stamps', /^coins.USD.1.100&priceMin=100$/);
});

test('filters that are applied unchanged ask for nothing and leave the list as it is', async ({ page, app, reader }) => {
  await openAs(page, app, reader, '/crypto');
  const lists = await openFilter(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rows(page)).toHaveCount(100);
  expect(lists.asked).toEqual([]);
});

test('a sheet that is closed while its list is under way applies nothing', async ({ page, app, reader }) => {
  await openAs(page, app, reader, '/crypto');
  const lists = await openFilter(page);
  lists.hold();
  await field(page, /^Price/, 'Max').fill('1');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => lists.asked.length).toBe(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const answered = page.waitForResponse('**/coin-market/get-data');
  lists.release();
  await (await answered).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(resolve)))));
  await expect(page).toHaveURL(/\/crypto$/);
  await expect(rows(page)).toHaveCount(100);
});
