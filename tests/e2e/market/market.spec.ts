import { expect, type Page } from '@playwright/test';
import { openAs } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { stopStopwatch } from '#tests/support/browser/held-timers.ts';
import { coinAt } from '#tests/support/market/coin-row.ts';
import { test } from '../fixtures.ts';
import { SIZES } from '../sizes.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Coins' }).getByRole('link');
const hits = (page: Page) => page.getByRole('region', { name: 'Search Result' }).getByRole('link');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const isWide = (page: Page) => (page.viewportSize()?.width ?? 0) >= 1024;

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

for (const { size, use, again } of SIZES) {
  test.describe(`on a ${size}`, () => {
    test.use(use);

    test.beforeEach(async ({ page, app, reader }) => {
      await openAs(page, app, reader, '/crypto');
    });

    test('the list opens a coin, and Back returns to the same place', async ({ page }) => {
      await expect(rows(page)).toHaveCount(100);
      await expect(rows(page).first()).toContainText(/Bitcoin.*BTC.*\$\d.*%/s);
      await expect(page.getByText('Demo data').first()).toBeVisible();
      if (!isWide(page)) await expect(page.getByRole('button', { name: /^Period of the change/ })).toBeInViewport({ ratio: 1 });
      expect(await accessibilityProblems(page)).toEqual([]);

      await stopStopwatch(page);
      const far = await coinAt(page, 60);
      await far.scrollIntoViewIfNeeded();
      const scrolled = () => page.evaluate(() => window.scrollY);
      const before = await scrolled();
      const name = (await far.locator('bdi').first().textContent()) ?? '';
      await far.click();
      await expect(title(page, name)).toBeVisible();
      await expect(page.getByText('Circulating Supply')).toBeVisible();
      await expect.poll(scrolled).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      // A wide screen keeps the list beside the coin.
      if (isWide(page)) {
        await expect(far).toHaveAttribute('aria-current', 'page');
        // From the open row, the keyboard can skip the rest of the list.
        await far.focus();
        await page.keyboard.press('Tab');
        await expect(page.getByRole('button', { name: 'Skip the list' }).last()).toBeFocused();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        await expect(page.getByRole('button', { name: 'Back' })).toBeFocused();
      } else await expect(far).toBeHidden();

      await page.getByRole('button', { name: 'Back' }).click();
      await expect(page).toHaveURL(/\/crypto$/);
      await expect(far).toBeInViewport();
      await expect.poll(scrolled).toBe(before);
    });

    test('the outlines of the controls are as wide as the controls', { tag: '@nightly' }, async ({ page }) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\/list-controls-/, (route) => held.then(() => route.continue()));
      await page.reload();
      const places = (selector: string) =>
        page.locator(`[data-late=controls] ${selector}`).evaluateAll((all) =>
          all.map((each) => {
            const { x, width } = each.getBoundingClientRect();
            return [x, width];
          }),
        );
      await expect(rows(page)).toHaveCount(100);
      const outlines = await places('div [data-skeleton]');
      release();
      await expect(page.getByRole('button', { name: 'Filter' })).toBeVisible();
      const controls = await places('div > div > :is(div, fieldset):not(:has(fieldset))');
      expect(controls).toHaveLength(4);
      expect(outlines).toEqual(controls.map((place) => place.map((length) => expect.closeTo(length, 0))));
    });

    test('a user finds a coin by name and opens its page', { tag: again }, async ({ page }) => {
      await page.getByRole('link', { name: 'Search coin...' }).click();
      await expect(page.getByRole('searchbox')).toBeFocused();
      await page.getByRole('searchbox').fill('ÉTHEREUM');
      await expect(hits(page)).toHaveCount(3);
      await expect(hits(page).first().locator('mark')).toHaveText('Ethereum');
      await expect(page).toHaveURL(/\?q=%C3%89THEREUM$/);
      expect(await accessibilityProblems(page)).toEqual([]);

      await page.reload();
      await hits(page).first().click();
      await expect(title(page, 'Ethereum')).toBeVisible();
      await page.goBack();
      await expect(page.getByRole('searchbox')).toHaveValue('ÉTHEREUM');

      for (const nothing of ['100%', '../..', '<img src=x onerror=alert(1)>']) {
        await page.getByRole('searchbox').fill(nothing);
        await expect(page.getByText('No search result found!')).toBeVisible();
      }
    });

    test('a user filters the list by keyboard, and the address keeps the filters', { tag: again }, async ({ page }) => {
      const control = (name: RegExp) => page.getByRole('button', { name });
      const field = (group: RegExp, label: string) => page.getByRole('group', { name: group }).getByLabel(label);
      const query = '?currency=BTC&ranking=4&top=10&period=7d';
      await expect(rows(page)).toHaveCount(100);
      const entries = () => page.evaluate(() => window.history.length);
      const before = await entries();

      await control(/Ranking type/).focus();
      for (const key of [
        'ArrowDown',
        'M',
        'Enter',
        'Tab',
        'ArrowRight',
        'Tab',
        'Enter',
        'Home',
        'ArrowDown',
        'Enter',
        'Tab',
        'Enter',
        '7',
        'Enter',
      ]) {
        await page.keyboard.press(key);
      }
      await expect(page).toHaveURL(new RegExp(`/crypto${query.replace('?', '\\?')}$`));
      await expect(rows(page)).toHaveCount(10);
      await expect(rows(page).first()).toContainText('₿');
      expect(await entries()).toBe(before);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await accessibilityProblems(page)).toEqual([]);

      const isSheetHere = () =>
        page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/filter-sheet-')));
      await expect.poll(isSheetHere).toBe(true);
      await control(/^Filter/).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('group', { name: 'Presets' })).toHaveCSS('border-top-width', '0px');
      await field(/^Volume 24h \(\$B\)/, 'Min').fill('99 billion');
      await expect(field(/^Volume/, 'Min')).toHaveValue('24');
      await field(/^Volume/, 'Min').fill('');
      await field(/^Percent change 24h/, 'Max').fill('-1000');
      await expect(field(/^Percent/, 'Max')).toHaveValue('-100');
      await field(/^Percent/, 'Max').fill('');
      await field(/^Market cap \(₿\)/, 'Min').fill('1000000');
      await field(/^Market cap/, 'Max').fill('10');
      await page.keyboard.press('Enter');
      await expect(field(/^Market cap/, 'Max')).toBeFocused();
      await expect(page.getByText('Max is below Min')).toBeVisible();
      expect(await accessibilityProblems(page)).toEqual([]);
      await field(/^Market cap/, 'Max').fill('');
      await page.keyboard.press('Enter');
      await expect(control(/^Filter 1 set$/)).toBeFocused();
      await expect(page).toHaveURL(/period=7d&capMin=1000000$/);
      await expect(rows(page).first()).toContainText(/MCap ₿\d+\.\dM/);

      await page.reload();
      await expect(control(/^Filter 1 set$/)).toBeVisible();
      await expect(control(/Top 10$/)).toBeVisible();
      await rows(page).first().click();
      await expect(page).toHaveURL(/\/crypto\/details\/\d+\?currency=BTC&.*capMin=1000000$/);
      await page.goBack();
      await expect(page).toHaveURL(/\/crypto\?currency=BTC&.*capMin=1000000$/);

      await page.goto('/crypto?capMin=999999999999999&top=seven');
      await expect(page.getByText('No data found!')).toBeVisible();
      await page.getByRole('button', { name: 'Reset filters' }).click();
      await expect(rows(page)).toHaveCount(100);
      await expect(page).toHaveURL(/\/crypto$/);
    });
  });
}
