import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { closeOnboarding, logIn, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

const pinned = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Pinned' }).getByRole('link');

test('chats are pinned by keyboard and offline, in every tab and on other devices', async ({ page, context, browser, app, baseURL }) => {
  const person = newPerson();
  await signedIn(page, app, person, '/chat');
  await askHere(page, 'What is staking?');
  await expect(conversation(page)).toContainText('Data:');
  const tab = await context.newPage();
  await page.goto('/archive');
  await tab.goto('/archive');
  await workerReady(page);
  const sent: string[] = [];
  context.on(
    'request',
    (request) => request.method() === 'PUT' && sent.push(`${request.headers()['idempotency-key']} ${request.postData()}`),
  );

  await context.setOffline(true);
  const actions = page.getByRole('button', { name: 'Actions for Staking' });
  await actions.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Pin' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(pinned(page)).toHaveText([/^Staking/]);
  await expect(pinned(tab)).toHaveText([/^Staking/]);
  await expect(actions).toBeFocused();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.reload();
  await expect(pinned(page)).toHaveText([/^Staking/]);

  await context.setOffline(false);
  await expect.poll(() => new Set(sent).size, { timeout: 30_000 }).toBe(1);
  expect(sent[0]).toContain('{"pinned":true}');

  const other = await browser.newPage({ baseURL });
  await closeOnboarding(other);
  await other.getByRole('link', { name: 'Already have an account?' }).click();
  await logIn(other, person);
  await other.waitForURL('**/home');
  await other.goto('/archive');
  await expect(pinned(other)).toHaveText([/^Staking/]);
  // The other device takes it off from the open chat, and this one hears of it.
  await pinned(other).click();
  await conversation(other).waitFor();
  await other.getByRole('button', { name: 'Actions for Staking' }).last().press('Enter');
  await other.getByRole('menuitem', { name: 'Unpin' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Pinned' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Staking/ })).toBeVisible();
  await other.close();
});
