import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { fillDevice } from '../fill-device.ts';
import { median } from '../median.ts';

const CPU_SLOWDOWN = 4;
const SEARCH = '/api/coin-market/global-search/';
const SIZES = { small: 100, large: 10_000 };
const WORDS = ['pea', 'pear', 'pearl'];
const ROUNDS = 5;
const LIMIT = 1.5;

/** Returns coins whose names alternate, so that each search word matches half of them. */
const coinRows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    name: `${at % 2 ? 'Stone' : 'Pearl'} ${at + 1}`,
    symbol: `S${at + 1}`,
    rank: at + 1,
    quote: {},
  }));

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** Measures the main-thread time of a keystroke until its results are shown, ms. */
async function keystrokeMs(page: Page, session: CDPSession, text: string): Promise<number> {
  const field = page.getByRole('searchbox');
  const asked = page.waitForRequest((request) => decodeURIComponent(request.url()).endsWith(SEARCH + text));
  const before = await taskMs(session);
  await field.fill(text);
  await asked;
  await page.waitForFunction(
    (typed) => [...document.querySelectorAll('mark')].some((mark) => mark.textContent?.toLowerCase() === typed),
    text,
  );
  // Work in the same task belongs to the keystroke.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  return (await taskMs(session)) - before;
}

/** Measures keystrokes in the offline coin search over this many coins. */
async function keystrokes(context: BrowserContext, url: string, size: keyof typeof SIZES): Promise<number[]> {
  const page = await context.newPage();
  await page.goto(`${url}/crypto/crypto-search`); // Creates the database.
  await page.getByRole('main').getByRole('link').first().waitFor();
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(fillDevice, { coins: coinRows(SIZES[size]) });
  await page.route(`**${SEARCH}**`, (route) => route.abort());
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(`${url}/crypto/crypto-search?q=pe`);
  await page.locator('mark').first().waitFor();
  const costs: number[] = [];
  for (const word of WORDS) costs.push(await keystrokeMs(page, session, word));
  await page.close();
  return costs;
}

/** Measures few and many coins in turn, so that a busy machine slows both. Returns a line to print. */
export async function searchBench(context: BrowserContext, url: string): Promise<string> {
  const costs = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    costs.small.push(...(await keystrokes(context, url, 'small')));
    costs.large.push(...(await keystrokes(context, url, 'large')));
  }
  const [small, large] = [median(costs.small), median(costs.large)];
  const ratio = large / small;
  return `A keystroke in the search over 10,000 coins on the device, processor ÷ 4: ${large.toFixed(0)} ms of main thread, over 100 coins ${small.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (${ratio <= LIMIT ? 'within' : 'OVER'} ${LIMIT})`;
}
