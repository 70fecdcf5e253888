import { expect, type Page } from '@playwright/test';
import { openAs } from '#tests/support/accounts/signed-in.ts';
import { stopStopwatch } from '#tests/support/browser/held-timers.ts';
import { coinAt } from '#tests/support/market/coin-row.ts';
import { test } from '../fixtures.ts';
import { SIZES } from '../sizes.ts';

test.use({ serviceWorkers: 'block' });

const rows = (page: Page) => page.getByRole('list', { name: 'Coins' }).getByRole('listitem');
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const top = (page: Page) =>
  page.evaluate(() => Math.max(scrollY, ...[...document.querySelectorAll('[data-pane]')].map(({ scrollTop }) => scrollTop)));

for (const { size, use, again } of SIZES) {
  test.describe(`on a ${size}`, () => {
    test.use(use);

    test('tabs and Back keep scroll position and focus', { tag: again }, async ({ page, app, reader }) => {
      await openAs(page, app, reader, '/crypto?period=7d');
      await expect(rows(page)).toHaveCount(100);
      await stopStopwatch(page);
      const link = await coinAt(page, 60);
      await link.scrollIntoViewIfNeeded();
      const before = await top(page);
      expect(before).toBeGreaterThan(1_000);

      await tab(page, 'Home').click();
      await expect(page).toHaveURL(/\/home$/);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
      await tab(page, 'Crypto').click();
      await expect(page).toHaveURL(/\/crypto\?period=7d$/);
      await expect.poll(() => top(page)).toBe(before);
      await expect(link).toBeInViewport();

      await link.click();
      await expect(page).toHaveURL(/\/crypto\/details\//);
      await page.getByRole('button', { name: 'Back' }).click();
      await expect(page).toHaveURL(/\/crypto\?period=7d$/);
      await expect.poll(() => top(page)).toBe(before);
      await expect(link).toBeFocused();

      await tab(page, 'Crypto').click();
      await expect.poll(() => top(page)).toBe(0);
      await expect(page).toHaveURL(/\/crypto\?period=7d$/);

      for (const name of ['Watchlist', 'Market']) {
        const list = page.getByRole('navigation', { name: 'Coin lists' }).getByRole('link', { name });
        await list.press('Enter');
        await expect(list).toHaveAttribute('aria-current', 'page');
        await expect(list).toBeFocused();
      }
    });
  });
}
