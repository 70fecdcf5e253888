import { expect, type Page } from '@playwright/test';
import { openAs } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { dailyChart, dotsOf } from '#tests/support/charts/chart-picture.ts';
import { noLivePrices } from '#tests/support/market/no-live-prices.ts';
import { test } from '../fixtures.ts';
import { SIZES } from '../sizes.ts';

/** `--up` (src/client/ui/theme/tokens.css) */
const UP = { dark: [61, 220, 151], light: [10, 127, 79] } as const;
/** `--down` */
const DOWN_LIGHT = [198, 47, 59] as const;

/** Expects no violation of the content policy, and no layout shift beyond that of the last words of a line when the font arrives. */
async function expectCalm(page: Page) {
  const { refused, shift } = await page.evaluate(() => (globalThis as unknown as { seen: { refused: string[]; shift: number } }).seen);
  expect(refused).toEqual([]);
  expect(shift).toBeLessThan(0.0005);
}

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

for (const { size, use, again } of SIZES) {
  test.describe(`on a ${size}`, () => {
    test.use(use);

    test('a coin shows its chart in both themes, without a layout shift', { tag: again }, async ({ page, app, context, reader }) => {
      // Without the provider, the app draws its own chart.
      await context.route('https://s3.tradingview.com/**', (route) => route.abort());
      await noLivePrices(page);
      await page.addInitScript(() => {
        const seen = { refused: [] as string[], shift: 0 };
        Object.assign(globalThis, { seen });
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          seen.refused.push(`${violatedDirective} ${blockedURI}`),
        );
        new PerformanceObserver((list) => {
          // A shift after the user's own input is expected.
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
            if (!entry.hadRecentInput) seen.shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await openAs(page, app, reader, '/crypto/details/1');
      const chart = dailyChart(page);
      await expect.poll(() => dotsOf(chart, UP.dark)).toBeGreaterThan(100);
      await expect(page.getByText('Circulating Supply')).toBeVisible();
      await expect(page.locator('iframe')).toHaveCount(0);
      expect(await accessibilityProblems(page)).toEqual([]);

      await expect(page.getByRole('radio', { name: '3 months' })).toBeChecked();
      await page.getByRole('radio', { name: '3 months' }).focus();
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('radio', { name: '1 year' })).toBeChecked();
      await expect(chart).toHaveAccessibleName(/^Daily candles of Bitcoin in USD, .+: last close \$.+, low \$.+, high \$.+\.$/);

      const cursor = page.getByRole('slider', { name: 'Candle' });
      await cursor.focus();
      await page.keyboard.press('Home');
      await expect(cursor).toHaveAttribute('aria-valuenow', '0');
      await expect(cursor).toHaveAttribute('aria-valuetext', /: close \$.+, open \$.+, high \$.+, low \$.+/);
      await page.getByRole('button', { name: 'Table' }).click();
      await expect(page.getByRole('columnheader', { name: 'Close' })).toBeVisible();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Table' }).click();

      await page.emulateMedia({ colorScheme: 'light' });
      await expect.poll(() => dotsOf(chart, UP.light)).toBeGreaterThan(100);
      await expect.poll(() => dotsOf(chart, UP.dark)).toBe(0);
      await expectCalm(page);

      // Forced colors leave the chart its own: otherwise rising and falling candles look alike.
      await page.emulateMedia({ forcedColors: 'active' });
      await page.reload();
      for (const color of [UP.light, DOWN_LIGHT]) await expect.poll(() => dotsOf(chart, color)).toBeGreaterThan(100);
      await page.emulateMedia({ forcedColors: 'none' });

      await page.goto('/crypto/details/1027');
      await expect(page.getByText('Circulating Supply')).toBeVisible();
      await expect.poll(() => dotsOf(chart, UP.light)).toBeGreaterThan(100);
      await expect(page.locator('iframe')).toHaveCount(0);
      await expectCalm(page);
    });
  });
}
