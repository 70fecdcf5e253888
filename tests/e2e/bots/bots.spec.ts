import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { test as base } from '../fixtures.ts';

/** A server whose market runs an hour a second, so that the strategy soon finds a trade. */
const test = base.extend<object, { app: RunningApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from this pattern.
    async ({}, use) => {
      const app = await startApp({ PAPER_SPEED: '3600' });
      await use(app);
      await app.remove();
    },
    { scope: 'worker' },
  ],
});

/** How long the strategy may look for a trade, and for its end, ms. */
const PATIENCE = 240_000;

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function fill(page: Page, key: string, secret: string) {
  await page.getByLabel('API Key').fill(key);
  await page.getByLabel('Secret Key').fill(secret);
}

test('a bot is created on the demo account, trades, is stopped, and is deleted', async ({ page, context, app }) => {
  test.setTimeout(3 * PATIENCE);
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email: 'bots@example.com', password: 'Abcde1' });
  await page.getByRole('link', { name: /^Trading Bot/ }).click();

  // The guidelines come first.
  await expect(dialog(page).getByRole('heading', { name: 'Trading Bot Guidelines' })).toBeVisible();
  await expect(button(page, 'Continue')).toBeDisabled();
  await expect(dialog(page).getByRole('link')).toHaveCount(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('checkbox').check();
  await button(page, 'Continue').click();
  await expect(dialog(page)).toHaveCount(0);

  // The form, and what it refuses.
  await expect(page.getByText('Free trial: 30 days left')).toBeVisible();
  await expect(page.getByText('15x, fixed')).toBeVisible();
  for (const figure of ['76.8%', '32.55%']) await expect(page.getByText(figure, { exact: true })).toBeVisible();
  await page.getByLabel('Bot Name').fill('Tide one');
  await page.getByLabel('Position Size').fill('99');
  await expect(page.getByText('Position size must be at least 100 USD')).toBeVisible();
  await expect(button(page, 'Create Bot')).toBeDisabled();
  await page.getByLabel('Position Size').fill('1000');
  await expect(page.getByText('$64.00')).toBeVisible();
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

  // Created on the demo account: set up, then running.
  await button(page, 'Use the demo account').click();
  await button(page, 'Create Bot').click();
  await expect(page.getByText('Trading bot created successfully!')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Trading bots' }).getByText('RUNNING')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Paper trading')).toBeVisible();
  await expect(page.getByText('Replay ×3600')).toBeVisible();
  await expect(page.getByLabel('Bot Name')).toHaveCount(0);
  expect(await accessibilityProblems(page)).toEqual([]);

  // Configured: an amount is kept for the next bot.
  await button(page, 'Configure').click();
  await expect(page).toHaveURL('/trading-bot/configure');
  await button(page, 'Configure').click();
  await expect(page.getByText('Please enter your investment amount')).toBeVisible();
  await page.getByLabel('Investment Amount').fill('2500');
  await expect(page.getByRole('slider')).toHaveValue('10');
  await expect(page.getByRole('region', { name: 'Yearly profit' })).toContainText('Conservative$68.75Average$137.50Optimistic$275.00');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button(page, 'Configure').click();
  await expect(page.getByText('Trading bot configured successfully!')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Trading Bot' }).click();

  // Its first real trade, from opening to end.
  await page.getByRole('link', { name: 'Tide one' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tide one' })).toBeVisible();
  const journal = page.getByRole('region', { name: 'Journal, newest first' });
  await expect(journal).toContainText(/Opened a (long|short) position/, { timeout: PATIENCE });
  const trades = page.getByRole('region', { name: 'Trades, newest first' });
  await expect(trades.getByRole('listitem').first()).toContainText(/^(Long|Short) ₿/, { timeout: PATIENCE });
  await expect(page.getByRole('table')).toContainText('Backtest');
  await expect(page.getByRole('img', { name: /^Equity from / })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  // Without a connection everything stays readable and nothing can be done.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.goto('/trading-bot');
  await expect(page.getByText('RUNNING')).toBeVisible();
  await expect(page.getByText(/^Offline · saved /)).toBeVisible();
  for (const name of ['Stop', 'Pause', 'Delete']) {
    await expect(button(page, name)).toHaveAttribute('aria-disabled', 'true');
    await expect(button(page, name)).toHaveAccessibleDescription('You can change bots once you are online. Nothing is queued.');
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  await context.setOffline(false);

  // Stopped, with what becomes of its position said first.
  await expect(button(page, 'Stop')).not.toHaveAttribute('aria-disabled', 'true');
  await button(page, 'Stop').click();
  await expect(dialog(page)).toContainText('No new trades.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('STOPPED', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(button(page, 'Start')).toBeVisible();

  // While it rests its name, money and key can be changed.
  await page.getByRole('link', { name: 'Tide one' }).click();
  await button(page, 'Edit').click();
  await dialog(page).getByLabel('Bot Name').fill('Ebb');
  await dialog(page).getByLabel('Position Size').fill('2000');
  await fill(page, 'some-key', 'some-secret');
  await button(page, 'Save').click();
  await expect(refused).toHaveText('Invalid API key or secret. Please check your credentials.');
  await fill(page, 'paper-demo-key', 'paper-demo-secret');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button(page, 'Save').click();
  await expect(page.getByText("The bot's settings were saved.")).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Ebb' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Settings' })).toContainText('$2,000.00');
  await button(page, 'Back').click();

  // Deleted, and the way to a next bot is open again, with the amount that was kept.
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
});
