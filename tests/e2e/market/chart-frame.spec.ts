import { expect, type Page } from '@playwright/test';
import { CHART_FRAME_PATH } from '#contract/paths.ts';
import { test } from '../fixtures.ts';

/** What the charting provider does as far as the page can tell: it reads its settings and opens a frame with them. */
const PROVIDER = `
  const frame = document.createElement('iframe');
  frame.src = 'https://www.tradingview-widget.com/chart#' + encodeURIComponent(document.currentScript.textContent);
  document.querySelector('.tradingview-widget-container__widget').append(frame);
`;

/** What the page of the charting provider says to the app that frames it, and from which origin. */
async function said(page: Page): Promise<unknown> {
  await page.goto('/onboarding/one');
  return page.evaluate(
    (src) =>
      new Promise((resolve) => {
        addEventListener('message', ({ data, origin }) => resolve({ data, origin }));
        const frame = document.createElement('iframe');
        Object.assign(frame, { src, title: 'chart' });
        document.body.append(frame);
      }),
    `${CHART_FRAME_PATH}?symbol=BTCUSD`,
  );
}

test("the charting provider's page has no origin of ours, gives the provider its settings and says when a chart is there", async ({
  page,
}) => {
  await page.route('https://s3.tradingview.com/**', (route) => route.fulfill({ contentType: 'text/javascript', body: PROVIDER }));
  await page.route('https://www.tradingview-widget.com/**', (route) => route.fulfill({ contentType: 'text/html', body: 'A chart' }));
  expect(await said(page)).toEqual({ data: { type: 'chart-ready' }, origin: 'null' });
  const drawn = page.frames().find((frame) => frame.url().startsWith('https://www.tradingview-widget.com/'));
  expect(JSON.parse(decodeURIComponent(new URL(drawn?.url() ?? '').hash.slice(1)))).toEqual({
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

test("the charting provider's page says when no chart comes", async ({ page }) => {
  await page.route('https://s3.tradingview.com/**', (route) => route.abort());
  expect(await said(page)).toEqual({ data: { type: 'chart-failed' }, origin: 'null' });
});
