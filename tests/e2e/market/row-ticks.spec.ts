import { expect, type Locator, type Page } from '@playwright/test';
import { type CoinTicks, coinTicks } from '#contract/market/coin-ticks.ts';
import { openAs } from '#tests/support/accounts/signed-in.ts';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shifts.ts';
import { test } from '../fixtures.ts';

test.use({ settings: [{ MARKET_TICK_MS: '200' }, { scope: 'worker' }], serviceWorkers: 'block' });

/** Waits until the rows in view change three times, and counts the changes of `rows` meanwhile. */
const changesOf = (rows: Locator) =>
  rows.evaluateAll(
    (elements) =>
      new Promise<number>((resolve, reject) => {
        const drawn = [...document.querySelectorAll('[aria-label="Coins"] li')].filter(
          (each) => each.getBoundingClientRect().top > 0 && each.getBoundingClientRect().bottom < innerHeight,
        );
        const late = setTimeout(() => reject(new Error('The visible rows did not tick three times within 15 s.')), 15_000);
        let changes = 0;
        let ticks = 0;
        const watch = (target: Element, onChange: () => void) =>
          new MutationObserver(onChange).observe(target, { characterData: true, childList: true, subtree: true });
        for (const each of elements) watch(each, () => changes++);
        const tick = () => {
          if (++ticks < 3) return;
          clearTimeout(late);
          resolve(changes);
        };
        for (const each of drawn) watch(each, tick);
      }),
  );

/** Waits until the browser skips the content of `row`. Until its first frame a new row is drawn, and so ticks wherever it is. */
const untilSkipped = (row: Locator) =>
  row.getByRole('link').evaluate(async (content) => {
    const frame = () => new Promise<unknown>((resolve) => requestAnimationFrame(resolve));
    while (content.checkVisibility({ contentVisibilityAuto: true })) await frame();
    // The browser tells the row with an event of its own, after the frame.
    await frame();
    await frame();
  });

test('a row off the screen does no work per tick, and stays reachable by find and keyboard', async ({ page, app, reader }) => {
  await openAs(page, app, reader, '/crypto');
  const rows = page.getByRole('list', { name: 'Coins' }).getByRole('listitem');
  await expect(rows).toHaveCount(100);
  // One coin is too few: the figures of a stablecoin stay the same for hours.
  const last = page.getByRole('list', { name: 'Coins' }).locator('li:nth-child(n + 91)');
  const far = rows.nth(95);
  // The code of the 7-day line loads after the rows, and its line changes each of them once.
  await expect(last.locator('a > svg')).toHaveCount(10);
  for (const row of await last.all()) await untilSkipped(row);
  expect(await changesOf(last)).toBe(0);

  const name = (await far.locator('bdi').first().textContent()) ?? '';
  expect(await page.evaluate((text) => (window as unknown as { find(text: string): boolean }).find(text), name)).toBe(true);
  await expect(far).toBeInViewport();
  await expect.poll(() => changesOf(last)).toBeGreaterThan(0);

  await page.evaluate(() => scrollTo(0, 0));
  await rows.nth(94).getByRole('link').focus();
  await page.keyboard.press('Tab');
  await expect(far.getByRole('link')).toBeFocused();
  await expect(far).toBeInViewport();
});

/** Gives every coin of the page's ticks the figures that the returned object has at the time. */
async function replaceFigures(page: Page) {
  const figures = { price: 1, market_cap: 1e9, percent_change_24h: 0 };
  const PREFIX = '42["coin_ticks",';
  const replaced = ({ source, coins }: CoinTicks) => ({
    source,
    coins: coins.map(({ id }) => ({ id, quote: { USD: figures, BTC: figures } })),
  });
  await page.routeWebSocket(/\/socket\.io\//, (client) => {
    const server = client.connectToServer();
    server.onMessage((message) => {
      const text = String(message);
      if (!text.startsWith(PREFIX)) return client.send(message);
      client.send(`${PREFIX}${JSON.stringify(replaced(coinTicks.parse(JSON.parse(text.slice(PREFIX.length, -1)))))}]`);
    });
  });
  return figures;
}

test('a change that leaves 0.00% and comes back moves nothing', async ({ page, app, reader }) => {
  await watchShifts(page);
  const figures = await replaceFigures(page);
  await openAs(page, app, reader, '/crypto');
  const row = page.getByRole('list', { name: 'Coins' }).getByRole('listitem').first();
  await expect(row).toContainText('0.00%');
  await expect(row).toContainText('$1.00');
  const before = await shiftsOf(page);
  for (const [change, text] of [
    [0.01, 'up 0.01%'],
    [0, '0.00%'],
    [-0.01, 'down 0.01%'],
  ] as const) {
    figures.percent_change_24h = change;
    await expect(row).toContainText(text);
    expect(await shiftsOf(page)).toEqual(before);
  }
});
