import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { candlePicture } from '#tests/support/charts/candle-picture.ts';
import { askHere, composer, conversation, expectSent, PICTURE_LIMIT } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

test('a user attaches a chart, which survives a reload and is read by the server, or offline by the device', async ({
  page,
  context,
  app,
}) => {
  await signedIn(page, app, newPerson(), '/chat');
  await expect(page.getByText('10 of 10 questions · 3 of 3 chart analyses left this month')).toBeVisible();

  // The field refuses a file that is no picture, and keeps the text.
  const gallery = page.locator('[data-way=Gallery]');
  await composer(page).fill('Where are the levels?');
  await gallery.setInputFiles({ name: 'chart.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expect(page.getByRole('alert')).toHaveText('The picture must be a PNG, JPEG, GIF, WebP or HEIC image.');
  await expect(composer(page)).toHaveValue('Where are the levels?');

  // The test waits for the file dialog before the key that opens it.
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach a picture' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Camera' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const picture = { name: 'chart.png', mimeType: 'image/png', buffer: await candlePicture() };
  await (await choosing).setFiles(picture);
  await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible();
  await expect(composer(page)).toHaveValue('Where are the levels?');
  await composer(page).press('Enter');
  await page.waitForURL('**/chat/archive/*');
  await expectSent(page);
  await expect(conversation(page)).toContainText('candle', { timeout: PICTURE_LIMIT });
  await expect(page.getByText('10 of 10 questions · 2 of 3 chart analyses left this month')).toBeVisible();

  // The large view draws the levels, and closing it returns the focus.
  const thumb = page.getByRole('button', { name: 'View picture' });
  await thumb.click();
  const view = page.getByRole('dialog', { name: 'Picture' });
  await expect(view.getByText(/^Trend /)).toBeVisible();
  await expect(view.locator('svg line')).not.toHaveCount(0);
  await view.getByRole('button', { name: 'Levels' }).click();
  await expect(view.locator('svg line')).toHaveCount(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(thumb).toBeFocused();

  await workerReady(page);
  await context.setOffline(true);
  await gallery.setInputFiles(picture);
  await expect(page.getByText('Read on this device')).toBeVisible({ timeout: 30_000 });
  await askHere(page, 'And offline?');
  await expect(conversation(page).getByText('Read on this device')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await context.setOffline(false);
  await expectSent(page);
  await expect(page.getByText('1 of 3 chart analyses left this month')).toBeVisible({ timeout: PICTURE_LIMIT });
  await expect(conversation(page).getByText('Read on this device')).toHaveCount(0); // replaced by the server's reading
});

test('a page whose version is gone from the server says how to attach a picture, and keeps the text', async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await composer(page).fill('Where are the levels?');
  await page.route(/\/picture-worker-/, (route) => route.fulfill({ status: 404 }));
  const picture = { name: 'chart.png', mimeType: 'image/png', buffer: await candlePicture() };
  await page.locator('[data-way=Gallery]').setInputFiles(picture);
  await expect(page.getByRole('alert')).toContainText('Reload the page and attach the picture again');
  await page.unroute(/\/picture-worker-/);
  await page.reload();
  await expect(composer(page)).toHaveValue('Where are the levels?');
});
