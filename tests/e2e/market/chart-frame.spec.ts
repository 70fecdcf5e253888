import { expect, type Page } from '@playwright/test';
import { CHART_FRAME_PATH } from '#contract/paths.ts';
import { test } from '../fixtures.ts';

/** A stand-in for the charting provider's script: it reads its settings and opens a frame with them. */
const PROVIDER = `
  const frame = document.createElement('iframe');
  frame.src = 'https://www.tradingview-widget.com/chart#' + encodeURIComponent(document.currentScript.textContent);
  document.querySelector('.tradingview-widget-container__widget').append(frame);
`;

/** Frames the charting page and returns its first message with its origin. */
async function firstMessage(page: Page): Promise<unknown> {
  await page.goto('/onboarding/one');
  return page.evaluate(
    (src) =>
      new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error('The frame sent no message within 30 s.')), 30_000);
        addEventListener('message', ({ data, origin }) => resolve({ data, origin }));
        const frame = document.createElement('iframe');
        Object.assign(frame, { src, title: 'chart' });
        document.body.append(frame);
      }),
    `${CHART_FRAME_PATH}?symbol=BTCUSD`,
  );
}

test('the charting page has an opaque origin, passes the provider its settings and reports that the chart is ready', async ({ page }) => {
  await page.route('https://s3.tradingview.com/**', (route) => route.fulfill({ contentType: 'text/javascript', body: PROVIDER }));
  await page.route('https://www.tradingview-widget.com/**', (route) => route.fulfill({ contentType: 'text/html', body: 'A chart' }));
  expect(await firstMessage(page)).toEqual({ data: { type: 'chart-ready' }, origin: 'null' });
  // The frame is in a process of its own, whose news may come later.
  const chartUrl = () =>
    page
      .frames()
      .find((frame) => frame.url().startsWith('https://www.tradingview-widget.com/'))
      ?.url();
  await expect.poll(chartUrl).toBeDefined();
  expect(JSON.parse(decodeURIComponent(new URL(chartUrl() ?? '').hash.slice(1)))).toEqual({
    autosize: true,
    symbol: 'BTCUSD',
    interval: 'D',
    timezone: 'Etc/UTC',
    theme: 'dark',
    style: '1',
    locale: 'en',
    allow_symbol_change: false,
  });
});

test('the charting page reports that the chart failed', async ({ page }) => {
  await page.route('https://s3.tradingview.com/**', (route) => route.abort());
  expect(await firstMessage(page)).toEqual({ data: { type: 'chart-failed' }, origin: 'null' });
});
