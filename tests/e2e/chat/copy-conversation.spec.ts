import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Copies the only chat of the list by keyboard, once the list has its title. */
async function copy(page: Page) {
  await page.getByRole('button', { name: 'Actions for Staking' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Copy as Markdown' })).toBeFocused();
}

test('a chat of the list is copied as Markdown by keyboard, offline too', async ({ page, context, app }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, 'What is staking?');
  await expect(conversation(page)).toContainText('Data:');
  await page.goto('/archive');

  await copy(page);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const whole = await clipboard(page);
  expect(whole).toMatch(/^# Staking\n\n\*\*You\*\* · .* UTC\n\n> What is staking\?\n\n\*\*Tidemark\*\*\n\n[\s\S]*Data: /);

  await workerReady(page);
  await context.setOffline(true);
  await page.goto('/archive');
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await copy(page);
  await page.keyboard.press('Enter');
  await expect.poll(() => clipboard(page)).toBe(whole);
});
