import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { unzip } from '#tests/support/accounts/unzip.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

const kind = (page: Page, title: string) =>
  page.getByRole('list', { name: 'What is stored' }).getByRole('listitem').filter({ hasText: title });

async function saved(page: Page, ending: 'zip' | 'json'): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^tidemark-.*\\.${ending}$`));
  return readFileSync(await file.path());
}

test('what is stored is told, cleared and asked for again, and taken along as a file, offline too', async ({ page, context, app }) => {
  test.slow();
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email: 'stores@example.com', password: 'Abcde1' });
  await page.emulateMedia({ reducedMotion: 'reduce' }); // the answer is there at once
  await ask(page, app, 'How is Bitcoin doing?');
  await expect(page.getByRole('button', { name: 'Copy answer' }).first()).toBeVisible();
  await page.goto('/settings/account');
  await page.getByRole('link', { name: 'Storage and Data' }).click();
  await expect(kind(page, 'Chats')).toContainText(/1 message · synced/);
  await expect(kind(page, 'The app itself')).toContainText(/\d\d+ files/);
  expect(await accessibilityProblems(page)).toEqual([]);

  const quota = page.getByText('0.0 of 100 MB');
  await expect(quota).toBeVisible();
  await expect(page.getByText('Delete chats with pictures to free space.')).toBeVisible();

  const whole = unzip(await saved(page, 'zip'));
  expect(whole.get('profile.json')?.toString()).toContain('stores@example.com');
  expect(whole.get('chat-messages.json')?.toString()).toContain('How is Bitcoin doing?');
  expect([...whole.values()].join()).not.toContain('eyJ');
  await expect(page.getByText('Saved, with all data from the server.')).toBeVisible();

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.goto('/settings/storage');
  await expect(kind(page, 'Chats')).toContainText('1 message');
  await expect(quota).toBeVisible();
  await expect(page.getByText(/^Offline · saved/)).toBeVisible();
  const part = JSON.parse((await saved(page, 'json')).toString());
  expect(part).toMatchObject({ source: 'device', profile: { email: 'stores@example.com' } });
  expect(part.archives[0].messages[0].ai_response).not.toBe('');
  await expect(page.getByText('Saved, with the data on this device.')).toBeVisible();

  await page.getByRole('button', { name: 'Clear Chats' }).click();
  await expect(page.getByRole('dialog')).toContainText('You are offline');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(kind(page, 'Chats')).toContainText('Nothing here');
  await context.setOffline(false);
  await page.goto('/archive');
  await page.locator('a[href^="/chat/archive/"]').first().click();
  await expect(page.getByText('How is Bitcoin doing?').first()).toBeVisible();
});
