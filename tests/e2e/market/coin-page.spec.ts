import { expect, type Page } from '@playwright/test';
import { openAs } from '#tests/support/accounts/signed-in.ts';
import { holdTimers } from '#tests/support/browser/held-timers.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { dailyChart, dotsOf } from '#tests/support/charts/chart-picture.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

/** `--up` of the dark theme (src/client/ui/theme/tokens.css) */
const UP = [61, 220, 151] as const;

/** How long the app waits for the provider's chart, ms (src/client/features/market/chart/provider/coin-chart-provider.ts). */
const PROVIDER_LIMIT = 8_000;

const loadedIcons = (page: Page) => page.locator('img[src^="/coins/"][data-loaded="true"]').count();

test('charts and logos of visited coins open offline after a restart', { tag: '@nightly' }, async ({ page, context, app, reader }) => {
  await openAs(page, app, reader, '/crypto');
  await expect(page.getByRole('list', { name: 'Coins' }).getByRole('link')).toHaveCount(100);
  await page.goto('/crypto/details/1');
  await expect(dailyChart(page)).toBeVisible();
  await workerReady(page);
  // The worker also caches icons of rows below the screen.
  const kept = () => page.evaluate(async () => (await (await caches.open('coin-images')).keys()).length);
  await expect.poll(kept, { timeout: 30_000 }).toBeGreaterThan(80);
  await page.close();
  await context.setOffline(true);

  const offline = await context.newPage();
  await offline.goto('/crypto/details/1');
  await expect.poll(() => dotsOf(dailyChart(offline), UP)).toBeGreaterThan(100);
  await expect.poll(() => loadedIcons(offline)).toBeGreaterThan(0);
  await offline.goto('/crypto');
  await expect.poll(() => loadedIcons(offline)).toBeGreaterThan(5);
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('a finger on the chart scrolls the page', { tag: '@nightly' }, async ({ page, context, app, reader }) => {
    await openAs(page, app, reader, '/crypto/details/1');
    const chart = dailyChart(page);
    await expect.poll(() => dotsOf(chart, UP)).toBeGreaterThan(100);
    const box = await chart.boundingBox();
    if (!box) throw new Error('no chart');
    const finger = await context.newCDPSession(page);
    const scrolled = () => page.evaluate(() => scrollY);

    // The finger starts on the chart, then on its price axis.
    for (const x of [box.x + box.width / 3, box.x + box.width - 20]) {
      const y = box.y + box.height / 2;
      await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      for (let moved = 20; moved <= 200; moved += 20) {
        await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - moved }] });
      }
      await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await expect.poll(scrolled).toBeGreaterThan(100);
      await page.evaluate(() => scrollTo(0, 0));
    }
  });

  test("the provider's chart replaces ours when it loads", async ({ page, context, app, reader }) => {
    let answer = '<script>parent.postMessage({ type: "chart-ready" }, "*")</script>';
    await context.route('**/chart-frame?*', (route) => route.fulfill({ contentType: 'text/html', body: answer }));
    await holdTimers(page, PROVIDER_LIMIT);
    await openAs(page, app, reader, '/crypto/details/1');
    const frame = page.getByTitle('Daily chart of Bitcoin in USD');
    await expect(frame).toBeVisible();
    await expect(dailyChart(page)).toHaveCount(0);
    expect((await frame.boundingBox())?.height).toBeGreaterThan(400);

    answer = '<script>parent.postMessage({ type: "chart-failed" }, "*")</script>';
    await page.reload();
    await expect.poll(() => dotsOf(dailyChart(page), UP)).toBeGreaterThan(100);
    await expect(frame).toHaveCount(0);
  });
});
