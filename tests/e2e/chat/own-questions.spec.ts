import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { botBody } from '#tests/support/bots/bots.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, composer, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

test('a user asks about the own bots and plan, follows the link to make one, and asks again offline', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await workerReady(page);
  await askHere(page, 'what do my bots do?');
  const answers = conversation(page);
  await expect(answers.getByText('You have no trading bots.')).toBeVisible();
  await askHere(page, 'my plan and allowance');
  await expect(answers.getByText('Left this month:')).toContainText('8 of 10 questions and 3 of 3 chart analyses');
  expect(await accessibilityProblems(page)).toEqual([]);
  await answers.getByRole('link', { name: 'Trading Bot', exact: true }).click();
  await page.waitForURL('**/trading-bot');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const { bot_name, position_size, api_key, secret_key } = botBody();
  await page.getByLabel('Bot Name').fill(bot_name);
  await page.getByLabel('Position Size').fill(position_size);
  await page.getByLabel('API Key').fill(api_key);
  await page.getByLabel('Secret Key').fill(secret_key);
  await page.getByRole('button', { name: 'Create Bot', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Trading bots' }).getByText('RUNNING')).toBeVisible({ timeout: 30_000 });

  await page.goto(`${app.url}/chat`);
  await listStored(page);
  await context.setOffline(true);
  await composer(page).fill('what do my bots do?');
  await composer(page).press('Enter');
  await expect(answers.getByText(/^From this device, figures of /)).toBeVisible();
  await expect(answers.getByRole('listitem').filter({ hasText: bot_name }).last()).toContainText('(Paper trading, running): $');
  await answers
    .getByRole('button', { name: /^\$[\d,.]+$/ })
    .first()
    .press('Enter');
  const sheet = page.getByRole('dialog', { name: `Money of ${bot_name}` });
  await expect(sheet).toContainText('Your account');
  expect(await accessibilityProblems(page)).toEqual([]);
});
