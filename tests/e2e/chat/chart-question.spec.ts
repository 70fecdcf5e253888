import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { candlePicture } from '#tests/support/charts/candle-picture.ts';
import { askHere, composer, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

test('a chart is attached, kept over a reload, sent, read and shown; offline the device reads it itself', async ({
  page,
  context,
  app,
}) => {
  test.slow();
  const email = `chart.${test.info().project.name}@example.com`;
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email, password: 'Abcde1' });
  await page.goto('/chat');
  await expect(page.getByText('10 of 10 questions · 3 of 3 chart analyses left this month')).toBeVisible();

  // A file that only says it is one is refused at the field, and what was typed stays.
  const gallery = page.locator('[data-way=Gallery]');
  await composer(page).fill('Where are the levels?');
  await gallery.setInputFiles({ name: 'chart.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expect(page.getByRole('alert')).toHaveText('The picture must be a PNG, JPEG or GIF image.');
  await expect(composer(page)).toHaveValue('Where are the levels?');

  // By keyboard, through the menu. The browser is told in good time that its dialog will be answered.
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
  await expect(conversation(page)).toContainText('candle', { timeout: 30_000 });
  await expect(page.getByText('10 of 10 questions · 2 of 3 chart analyses left this month')).toBeVisible();

  // Large, with what was read, and back to where one was.
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

  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  await gallery.setInputFiles(picture);
  await expect(page.getByText('Read on this device')).toBeVisible({ timeout: 30_000 });
  await askHere(page, 'And offline?');
  await expect(conversation(page).getByText('Read on this device')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await context.setOffline(false);
  await expect(page.getByText('1 of 3 chart analyses left this month')).toBeVisible({ timeout: 45_000 });
  await expect(conversation(page).getByText('Read on this device')).toHaveCount(0); // the server's own reading stands now
});
