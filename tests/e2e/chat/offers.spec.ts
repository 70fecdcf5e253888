import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { takenOver } from '#tests/support/browser/taken-over.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, composer, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

test('a user chooses a question that is asked back, and confirms and undoes an alert and the watchlist by keyboard', async ({
  page,
  app,
}) => {
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, 'set an alert at 1 million');
  const choice = page.getByRole('button', { name: 'Alert me when Bitcoin reaches $1,000,000' });
  await choice.press('Enter');
  await expect(choice).toHaveCount(0); // a plain line of the earlier answer
  await expect(conversation(page).getByText('Alert me when Bitcoin reaches $1,000,000', { exact: true }).last()).toBeVisible();
  const alert = page.getByRole('group', { name: 'Price alert' });
  await expect(alert).toContainText('BTC: Above $1,000,000.00');
  await page.reload();
  await takenOver(page);
  await expect(alert.getByRole('button', { name: 'Set alert' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await alert.getByRole('button', { name: 'Set alert' }).press('Enter');
  await expect(alert.getByRole('status')).toHaveText('Alert set.');
  await expect(alert.getByRole('button', { name: 'Undo' })).toBeFocused();
  expect(await accessibilityProblems(page)).toEqual([]);

  await askHere(page, 'add solana and ada to my watchlist');
  const watch = page.getByRole('group', { name: 'Watchlist' });
  await watch.getByRole('button', { name: 'Add to watchlist' }).press('Enter');
  await expect(watch.getByRole('status')).toHaveText('Added.');
  await watch.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(watch.getByRole('button', { name: 'Add to watchlist' })).toBeVisible();
  await watch.getByRole('button', { name: 'Add to watchlist' }).press('Enter');
  await expect(watch.getByRole('status')).toHaveText('Added.');
  await page.getByRole('link', { name: 'See price alerts' }).first().click();
  await expect(page.getByText('Above $1,000,000.00')).toBeVisible();
  await page.goto(`${app.url}/crypto/watchlist`);
  await expect(page.getByRole('list', { name: 'Watchlist' }).getByRole('listitem')).toHaveCount(2);
});

test('offline, the device asks back and offers an alert, which is set once the connection is back', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await workerReady(page);
  await askHere(page, 'bitcoin price');
  await expect(page.getByRole('button', { name: 'Copy answer' })).toHaveCount(1);
  // The list is stored while the page is idle.
  await listStored(page);
  await context.setOffline(true);
  await composer(page).fill('set an alert at 1 million');
  await composer(page).press('Enter');
  const choice = page.getByRole('button', { name: 'Alert me when Bitcoin reaches $1,000,000' });
  await choice.press('Enter');
  const alert = page.getByRole('group', { name: 'Price alert' });
  await alert.getByRole('button', { name: 'Set alert' }).press('Enter');
  await expect(alert.getByRole('status')).toHaveText('Saved. The alert is set once you are online.');
  await context.setOffline(false);
  await expect(alert.getByRole('status').first()).toHaveText('Alert set.', { timeout: 30_000 });
  await expect(alert).toHaveCount(1);
});
