import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { unzip } from '#tests/support/accounts/unzip.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

const category = (page: Page, title: string) =>
  page.getByRole('list', { name: 'What is stored' }).getByRole('listitem').filter({ hasText: title });

async function exportData(page: Page, ending: 'zip' | 'json'): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^tidemark-.*\\.${ending}$`));
  return readFileSync(await file.path());
}

test('a user views, exports and clears stored data, offline too, and cleared chats come back from the server', { tag: '@nightly' }, async ({
  page,
  context,
  app,
}) => {
  const person = newPerson();
  await signedIn(page, app, person);
  await ask(page, app, 'How is Bitcoin doing?');
  await expect(page.getByRole('button', { name: 'Copy answer' }).first()).toBeVisible();
  await workerReady(page); // the page counts the app's files once
  await page.goto('/settings/account');
  await page.getByRole('link', { name: 'Storage and Data' }).click();
  await expect(category(page, 'Chats')).toContainText(/1 message · synced/);
  await expect(category(page, 'The app itself')).toContainText(/\d\d+ files/);
  expect(await accessibilityProblems(page)).toEqual([]);

  const quota = page.getByText('0.0 of 100 MB');
  await expect(quota).toBeVisible();
  await expect(page.getByText('Delete chats with pictures to free space.')).toBeVisible();

  const full = unzip(await exportData(page, 'zip'));
  expect(full.get('profile.json')?.toString()).toContain(person.email);
  expect(full.get('chat-messages.json')?.toString()).toContain('How is Bitcoin doing?');
  expect([...full.values()].join()).not.toContain('eyJ');
  await expect(page.getByText('Saved, with all data from the server.')).toBeVisible();

  await workerReady(page);
  await context.setOffline(true);
  await page.goto('/settings/storage');
  await expect(category(page, 'Chats')).toContainText('1 message');
  await expect(quota).toBeVisible();
  await expect(page.getByText(/^Offline · saved/)).toBeVisible();
  const part = JSON.parse((await exportData(page, 'json')).toString());
  expect(part).toMatchObject({ source: 'device', profile: { email: person.email } });
  expect(part.archives[0].messages[0].ai_response).not.toBe('');
  await expect(page.getByText('Saved, with the data on this device.')).toBeVisible();

  await page.getByRole('button', { name: 'Clear Chats' }).click();
  await expect(page.getByRole('dialog')).toContainText('You are offline');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(category(page, 'Chats')).toContainText('Nothing here');
  await context.setOffline(false);
  await page.goto('/archive');
  await page.locator('a[href^="/chat/archive/"]').first().click();
  await expect(page.getByText('How is Bitcoin doing?').first()).toBeVisible();
});
