import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../support/axe';
import { ask, signUp } from '../support/main-path';
import { test } from './fixtures';

const rows = (page: Page) => page.locator('a[href^="/chat/archive/"]');
const search = (page: Page) => page.getByPlaceholder('Search chat...');

/** Asks in a new chat, and waits for the answer to be kept. */
async function askAndKeep(page: Page, question: string) {
  const titled = page.waitForResponse((response) => response.url().endsWith('/archives/') && response.ok());
  await page.goto('/chat');
  await page.getByRole('textbox').last().fill(question);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('Data:');
  await titled;
}

test('chats are kept, found, and readable offline', async ({ page, context, app }) => {
  const email = `archive.${test.info().project.name}@example.com`;
  await signUp(page, app, { firstName: 'Ada', lastName: 'King', email, password: 'Abcde1' });
  await page.goto('/archive');
  await expect(page.getByText('Your chats will be kept here.')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  for (const question of ['What is staking?', 'What is the price of Solana?']) await askAndKeep(page, question);
  await page.goto('/archive');
  await expect(rows(page)).toHaveCount(2);
  await search(page).fill('STAKING');
  await expect(rows(page)).toHaveCount(1);
  await search(page).fill('100% of nothing / ?');
  await expect(page.getByText('No chat mentions "100% of nothing / ?".')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(rows(page)).toHaveCount(2);

  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  await page.goto('/archive');
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText(/^Offline · saved /).first()).toBeVisible();
  await search(page).fill('price of solana'); // stands in a question
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('Found on this device')).toBeVisible();
  await rows(page).first().click();
  await expect(page.getByText('What is the price of Solana?')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Data:');
  // On a wide screen the search stays beside the chat it found.
  await expect(search(page)).toHaveCount((page.viewportSize()?.width ?? 0) >= 1024 ? 1 : 0);
  await page.goBack();
  await expect(page).toHaveURL(/\/archive$/);
});

test('a chat from another device appears', async ({ page, browser, app, baseURL }) => {
  const person = { firstName: 'Ada', lastName: 'King', email: `two.${test.info().project.name}@example.com`, password: 'Abcde1' };
  await signUp(page, app, person);
  const other = await browser.newPage({ baseURL });
  await other.goto('/onboarding/three');
  await other.getByText('Get Started').click();
  await other.getByRole('link', { name: 'Already have an account?' }).click();
  await other.getByLabel('Email').fill(person.email);
  await other.getByLabel('Password', { exact: true }).fill(person.password);
  await other.getByRole('button', { name: 'Log In' }).click();
  await other.waitForURL('**/home');
  await expect(other.getByText('No recent chats here!')).toBeVisible();
  await ask(page, app, 'What is staking?');
  await expect(rows(other)).toHaveCount(1);
  await other.close();
});
