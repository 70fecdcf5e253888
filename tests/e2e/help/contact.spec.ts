import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { expectArrived, messageRow, writeMessage } from '#tests/support/help/contact-page.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

test.use(WORKER_AT_NIGHT);

test('the help center answers questions, keeps a draft, and sends a message with images', async ({ page, app }) => {
  const person = newPerson();
  await signedIn(page, app, person, '/settings/help-center');
  await page.getByText('What does each plan include?').click();
  await expect(page.getByText('Free, $0 a month: 10 general questions and 3 chart analyses.')).toBeVisible();
  await page.getByText('What works without a connection?').click();
  await expect(page.getByText('Free, $0 a month')).toBeHidden(); // one answer is open at a time
  await page.getByRole('searchbox', { name: 'Search help' }).fill('leverage');
  await expect(page.locator('details')).toHaveCount(1);
  expect(await accessibilityProblems(page), 'search').toEqual([]);
  await page.getByRole('button', { name: 'Clear search' }).click();

  await page.getByRole('button', { name: 'Contact Us' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Ada King');
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Type Message is required!');
  await page.getByLabel('Message').fill('Half a thought');
  await page.getByLabel('Add images').setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('"notes.png" is not a PNG or JPEG image.')).toBeVisible();
  expect(await accessibilityProblems(page), 'form').toEqual([]);
  await deviceHas(page, 'drafts', /^contact$/);
  await page.reload();
  await page.getByRole('button', { name: 'Contact Us' }).click();
  await expect(page.getByLabel('Message')).toHaveValue('Half a thought');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await writeMessage(page, 'My chart is upside down.');
  await expect(page.getByRole('dialog', { name: 'Thanks for reaching out!' })).toContainText('Please keep patience.');
  expect(await accessibilityProblems(page), 'thanks').toEqual([]);
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/settings/help-center');
  await expect(messageRow(page, 'My chart is upside down.')).toContainText('3 images');
  await expectArrived(app, person.email, ['My chart is upside down.']);
});
