import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask, closeOnboarding, logIn, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

const rows = (page: Page) => page.locator('a[href^="/chat/archive/"]');
const search = (page: Page) => page.getByPlaceholder('Search chat...');

/** Asks in a new chat and waits until the answer and the title are stored. */
async function askAndKeep(page: Page, question: string) {
  const titled = page.waitForResponse((response) => response.url().endsWith('/archives/') && response.ok());
  await page.goto('/chat');
  await page.getByRole('textbox').last().fill(question);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('Data:');
  await titled;
}

test('the archive lists chats, finds them, and opens them offline', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/archive');
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

  await workerReady(page);
  await context.setOffline(true);
  await page.goto('/archive');
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText(/^Offline · saved /).first()).toBeVisible();
  await search(page).fill('price of solana'); // part of a question
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('Found on this device')).toBeVisible();
  await rows(page).first().click();
  await expect(page.getByText('What is the price of Solana?')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Data:');
  await expect(search(page)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/archive$/);
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('a chat from another device appears in the list', async ({ page, browser, app, baseURL }) => {
    const person = newPerson();
    await signedIn(page, app, person);
    const other = await browser.newPage({ baseURL });
    await closeOnboarding(other);
    await other.getByRole('link', { name: 'Already have an account?' }).click();
    await logIn(other, person);
    await other.waitForURL('**/home');
    await expect(other.getByText('No recent chats here!')).toBeVisible();
    await ask(page, app, 'What is staking?');
    await expect(rows(other)).toHaveCount(1);
    await other.close();
  });
});

test('a user renames and deletes chats by keyboard, offline too, and the server gets each edit once', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  for (const question of ['What is the price of Solana?', 'What is staking?']) await askAndKeep(page, question);
  await page.reload();
  // A retry after a lost response has the same key and counts as the same edit.
  const edits = new Map<string, string>();
  page.on('request', (request) => {
    const key = request.headers()['idempotency-key'];
    if (key && ['PATCH', 'DELETE'].includes(request.method())) edits.set(key, request.method());
  });

  // The sidebar finds and renames the open chat.
  const pencil = page.getByRole('button', { name: 'Edit title' });
  await pencil.press('Enter');
  const sidebar = page.getByRole('dialog', { name: 'Chats' });
  await expect(sidebar.getByRole('region', { name: 'Today' }).getByRole('link')).toHaveCount(2);
  await page.keyboard.press('Tab');
  await expect(search(page).last()).toBeFocused();
  await page.keyboard.type('staking');
  await expect(sidebar.getByRole('link').filter({ hasNotText: 'All chats' })).toHaveCount(1);
  expect(await accessibilityProblems(page)).toEqual([]);
  await sidebar.getByRole('button', { name: /^Actions for/ }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const title = page.getByRole('textbox', { name: 'Title' });
  await expect(title).toBeFocused();
  await title.fill(' ');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Title is required!')).toBeVisible();
  await title.fill('Rewards for staking coins');
  const named = page.waitForResponse((response) => response.url().endsWith('/title') && response.ok());
  await page.keyboard.press('Enter');
  await expect(sidebar.getByRole('link', { name: 'Rewards for staking coins' })).toBeVisible();
  await expect(title).toHaveCount(0);
  await named;
  await page.keyboard.press('Escape');
  await expect(sidebar).toHaveCount(0);
  await expect(pencil).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Rewards for stak..' })).toBeVisible();

  await workerReady(page);
  await context.setOffline(true);
  const open = async (row: string, action: string) => {
    await pencil.press('Enter');
    await sidebar.getByRole('button', { name: row }).press('Enter');
    await page.getByRole('menuitem', { name: action }).press('Enter');
  };
  await open('Actions for Rewards for staking coins', 'Rename');
  await title.fill('Staking');
  await page.keyboard.press('Enter');
  await expect(sidebar.getByRole('link').getByText('Staking', { exact: true })).toBeVisible();
  await expect(title).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(sidebar).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Staking', exact: true })).toBeVisible();
  await open('Actions for Staking', 'Delete');
  const question = page.getByRole('dialog', { name: 'Delete chat' });
  await expect(question).toContainText('"Staking" is deleted with all its questions, answers and pictures');
  expect(await accessibilityProblems(page)).toEqual([]);
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.waitForURL('**/chat');
  await page.goto('/archive');
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: /^Actions for/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
  await title.fill('Sol');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveText([/^Sol/]);

  edits.clear();
  await context.setOffline(false);
  await expect.poll(() => [...edits.values()].sort(), { timeout: 30_000 }).toEqual(['DELETE', 'PATCH']);
  await expect(page.getByText(/^Updated /).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Updated /).first()).toBeVisible();
  await expect(rows(page)).toHaveText([/^Sol/]);
  expect([...edits.values()].sort()).toEqual(['DELETE', 'PATCH']);
});
