import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { dotsOf } from '#tests/support/charts/chart-picture.ts';
import { test } from '../fixtures.ts';

// Five hours a second: the strategy opens and closes a position within half a minute on average.
test.use({ settings: { PAPER_SPEED: '18000' } });

/** How long the strategy may take to open a position, and to close it, ms. */
const TRADE_LIMIT = 120_000;

/** `--up` and `--down` of the dark theme (src/client/ui/theme/tokens.css). */
const [UP, DOWN] = [[61, 220, 151] as const, [255, 107, 107] as const];

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function fill(page: Page, key: string, secret: string) {
  await page.getByLabel('API Key').fill(key);
  await page.getByLabel('Secret Key').fill(secret);
}

test('a user creates a bot on the demo account, sees it trade, stops it and deletes it', async ({ page, context, app }) => {
  test.setTimeout(2 * TRADE_LIMIT + 120_000);
  await signedIn(page, app, newPerson());
  await page.getByRole('link', { name: /^Trading Bot/ }).click();

  await expect(dialog(page).getByRole('heading', { name: 'Trading Bot Guidelines' })).toBeVisible();
  await expect(button(page, 'Continue')).toBeDisabled();
  await expect(dialog(page).getByRole('link')).toHaveCount(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('checkbox').check();
  await button(page, 'Continue').click();
  await expect(dialog(page)).toHaveCount(0);

  // The form refuses a small position, an account without the referral, and an unknown key.
  await expect(page.getByText('Free trial: 30 days left')).toBeVisible();
  await expect(page.getByText('15x, fixed')).toBeVisible();
  for (const figure of ['76.8%', '32.55%']) await expect(page.getByText(figure, { exact: true })).toBeVisible();
  await page.getByLabel('Bot Name').fill('Tide one');
  await page.getByLabel('Position Size').fill('99');
  await expect(page.getByText('Position size must be at least 100 USD')).toBeVisible();
  await expect(button(page, 'Create Bot')).toBeDisabled();
  await page.getByLabel('Position Size').fill('1000');
  await expect(page.getByText('$64.00')).toBeVisible();
  await expect(page.getByLabel('Loss Limit')).toHaveValue('30');
  await page.getByLabel('Loss Limit').fill('4');
  await page.getByLabel('Loss Limit').blur();
  await expect(page.getByText('Please enter a loss limit from 5% to 90%')).toBeVisible();
  // The replay loses 25% within four minutes, which would stop the bot on a slow machine.
  await page.getByLabel('Loss Limit').fill('85');
  await expect(page.getByLabel('Secret Key')).toHaveAttribute('type', 'password');
  await fill(page, 'paper-unreferred-key', 'paper-unreferred-secret');
  await button(page, 'Create Bot').click();
  const refused = page.getByRole('alert');
  await expect(refused).toHaveText(
    "This account was not registered using Tidemark's referral code. Please register with a valid referral code.",
  );
  await fill(page, 'some-key', 'some-secret');
  await button(page, 'Create Bot').click();
  await expect(refused).toHaveText('Invalid API key or secret. Please check your credentials.');
  expect(await accessibilityProblems(page)).toEqual([]);

  await button(page, 'Use the demo account').click();
  await button(page, 'Create Bot').click();
  await expect(page.getByText('Trading bot created successfully!')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Trading bots' }).getByText('RUNNING')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Paper trading')).toBeVisible();
  await expect(page.getByText('Replay ×18000')).toBeVisible();
  await expect(page.getByLabel('Bot Name')).toHaveCount(0);
  expect(await accessibilityProblems(page)).toEqual([]);

  // Configuring keeps an amount for the next bot.
  await button(page, 'Configure').click();
  await expect(page).toHaveURL('/trading-bot/configure');
  await expect(page.getByRole('link', { name: "Open the bot's real settings" })).toBeVisible();
  await button(page, 'Configure').click();
  await expect(page.getByText('Please enter your investment amount')).toBeVisible();
  await page.getByLabel('Investment Amount').fill('2500');
  await expect(page.getByRole('slider')).toHaveValue('10');
  await expect(page.getByRole('region', { name: 'Yearly profit' })).toContainText('Conservative$68.75Average$137.50Optimistic$275.00');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button(page, 'Configure').click();
  await expect(page.getByText('Trading bot configured successfully!')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Trading Bot' }).click();

  // The bot makes its first trade.
  await page.getByRole('link', { name: 'Tide one' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tide one' })).toBeVisible();
  const journal = page.getByRole('list', { name: 'Journal, newest first' });
  await expect(journal).toContainText(/Opened a (long|short) position/, { timeout: TRADE_LIMIT });
  const trades = page.getByRole('region', { name: 'Closed trades' });
  await expect(trades.getByRole('row').nth(1)).toContainText(/(Long|Short)₿/, { timeout: TRADE_LIMIT });
  await expect(page.getByRole('columnheader', { name: 'Closed' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('table', { name: 'By month' })).toContainText('All');
  const beside = page.getByRole('region', { name: 'Compared with the backtest of the same days' });
  await expect(beside.getByRole('table', { name: 'Results' })).toContainText('Backtest', { timeout: 60_000 });
  const saved = page.waitForEvent('download');
  await button(page, 'Save as CSV').click();
  expect((await saved).suggestedFilename()).toBe('tidemark-Tide-one-trades.csv');
  await expect(page.getByRole('region', { name: 'Results vs. backtest' })).toContainText('Backtest');
  await expect(page.getByRole('region', { name: 'Backtest on real candles' })).toContainText('not statistically proven');
  await expect(page.getByText(/^BTC replay repeats the real prices of Mar 6/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^Equity from / })).toBeVisible();
  const chart = page.getByRole('img', { name: /candles of BTC replay .* levels, [1-9]/ });
  await expect(chart.locator('canvas').first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.reload();
  for (const color of [UP, DOWN]) await expect.poll(() => dotsOf(chart, color)).toBeGreaterThan(100);
  await page.emulateMedia({ forcedColors: 'none' });

  // A backtest runs on the server, and its result stays readable.
  await page.goto('/trading-bot');
  await page.getByRole('link', { name: 'Backtests' }).click();
  await expect(page.getByText('Binance BTC/USDT spot, Jan 1, 2023 – Jan 20, 2025. Days are UTC.')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel('First day').fill('2024-11-01');
  await button(page, 'Run Backtest').click();
  await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('img', { name: /buy and hold .* at the end/ })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  const backtest = new URL(page.url()).pathname;

  // Offline, everything stays readable and every action is disabled.
  await workerReady(page);
  await context.setOffline(true);
  await page.goto('/trading-bot');
  await expect(page.getByText('RUNNING')).toBeVisible();
  await expect(page.getByText(/^Offline · saved /)).toBeVisible();
  for (const name of ['Stop', 'Pause entries', 'Delete']) {
    await expect(button(page, name)).toHaveAttribute('aria-disabled', 'true');
    await expect(button(page, name)).toHaveAccessibleDescription('You can change bots once you are online. Nothing is queued.');
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto(backtest);
  await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible();
  await expect(page.getByText(/^Offline · saved /)).toBeVisible();
  await page.goto('/trading-bot');
  await context.setOffline(false);

  // The dialog says first what happens to the open position.
  await expect(button(page, 'Stop')).not.toHaveAttribute('aria-disabled', 'true');
  await button(page, 'Stop').click();
  await expect(dialog(page)).toContainText('No new trades.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('STOPPED', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(button(page, 'Start')).toBeVisible();

  // A stopped bot's name, amount and key can change.
  await page.getByRole('link', { name: 'Tide one' }).click();
  await button(page, 'Edit').click();
  await dialog(page).getByLabel('Bot Name').fill('Ebb');
  await dialog(page).getByLabel('Position Size').fill('2000');
  await expect(dialog(page).getByLabel('Loss Limit')).toHaveValue('85');
  await dialog(page).getByLabel('Loss Limit').fill('20');
  await fill(page, 'some-key', 'some-secret');
  await button(page, 'Save').click();
  await expect(refused).toHaveText('Invalid API key or secret. Please check your credentials.');
  await fill(page, 'paper-demo-key', 'paper-demo-secret');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button(page, 'Save').click();
  await expect(page.getByText("The bot's settings were saved.")).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Ebb' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Settings' })).toContainText('$2,000.00');
  await expect(page.getByRole('region', { name: 'Settings' })).toContainText('Loss limit20%');
  await button(page, 'Back').click();

  // After the deletion the form is back, with the amount kept for the next bot.
  await button(page, 'Delete').click();
  await expect(dialog(page)).toContainText(
    'Are you sure you want to delete this trading bot? This will stop the bot and remove all configuration.',
  );
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Trading bot stopped and deleted successfully!')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('checkbox').check();
  await button(page, 'Continue').click();
  await expect(page.getByLabel('Position Size')).toHaveValue('2500');
  await expect(page.getByText('From the Configure page.')).toBeVisible();

  // Its trades stay.
  await page.getByRole('region', { name: 'Deleted bots' }).getByRole('link', { name: /^Ebb/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ebb' })).toBeVisible();
  await expect(trades.getByRole('row').nth(1)).toContainText(/(Long|Short)₿/);
  expect(await accessibilityProblems(page)).toEqual([]);
});
