import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { holdTimers } from '#tests/support/browser/held-timers.ts';
import { logIn, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

/** How long the page says that it has saved, ms (src/client/features/profile/profile-view.tsx). */
const NOTICE_MS = 4_000;

/** Returns a landscape photo. */
async function takePhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 1_600;
    canvas.height = 1_200;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.fillStyle = '#d2691e';
    context.fillRect(0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  });
  return Buffer.from(base64, 'base64');
}

const picture = (page: Page) => page.getByRole('main').locator('img');
/** Returns the size of the displayed photo, and whether it is brown. */
const shownPhoto = (page: Page) =>
  picture(page).evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
    return { width: image.naturalWidth, height: image.naturalHeight, brown: red > 180 && green < 140 && blue < 80 };
  });

test('a user changes photo, name, country and password, and they are kept', async ({ page, app, context }) => {
  const ada = newPerson();
  const leaveNotice = await holdTimers(page, NOTICE_MS);
  await signedIn(page, app, ada, '/settings/account');
  await expect(page.getByRole('heading', { name: 'Ada King' })).toBeVisible();
  expect(await accessibilityProblems(page), 'account').toEqual([]);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page).toHaveURL(/\/settings\/profile$/);
  await expect(page.getByLabel('First Name')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(ada.email);
  expect(await accessibilityProblems(page), 'profile').toEqual([]);

  const photo = page.getByLabel('Change Photo');
  await photo.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not a picture at all') });
  await expect(page.getByRole('alert')).toHaveText('The photo must be a PNG or JPEG image.');
  await photo.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await takePhoto(page) });
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await shownPhoto(page)).toEqual({ width: 512, height: 512, brown: true });

  await page.getByLabel('Last Name').fill('Lovelace');
  await page.getByRole('button', { name: /^Country/ }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('atlantis');
  await expect(page.getByText('No search data found!')).toBeVisible();
  await page.getByRole('combobox', { name: 'Search' }).fill('UNITED KING');
  await page.keyboard.press('Enter');
  await page.getByLabel('Password', { exact: true }).fill('Fghij2');
  await page.getByLabel('Confirm Password').fill('Fghij2');
  const request = page.waitForRequest((each) => each.method() === 'PATCH');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  expect((await request).headers()['content-type']).toContain('multipart/form-data');
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  expect(await accessibilityProblems(page), 'profile, saved').toEqual([]);
  await leaveNotice();
  await expect(page.getByText('User updated successfully!')).toBeHidden();

  // The values come from the server, then from the device.
  await page.reload();
  await expect(page.getByLabel('Last Name')).toHaveValue('Lovelace');
  await expect(page.getByRole('button', { name: /^Country/ })).toHaveText('United Kingdom');
  await workerReady(page);
  await deviceHas(page, 'images', /./);
  await context.setOffline(true);
  await page.goto('/settings/account');
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible();
  expect(await shownPhoto(page)).toMatchObject({ brown: true });
  await context.setOffline(false);

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await logIn(page, { ...ada, password: 'Fghij2' });
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible();
  await page.goto('/settings/account');
  expect(await shownPhoto(page)).toEqual({ width: 512, height: 512, brown: true }); // fetched from the server
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('the app asks before it discards unsaved changes', async ({ page, app, context }) => {
    await signedIn(page, app, newPerson(), '/settings/account');
    await page.getByRole('link', { name: 'Account' }).click();
    const name = page.getByLabel('First Name');
    await name.fill('Augusta');
    const dialog = page.getByRole('dialog', { name: 'Leave without saving' });

    await page.goBack();
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL(/\/settings\/profile$/);
    expect(await accessibilityProblems(page), 'unsaved').toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(name).toHaveValue('Augusta');

    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('No connection. Please try again when you are online.')).toBeVisible();
    await expect(name).toHaveValue('Augusta');
    await context.setOffline(false);

    await page.getByRole('button', { name: 'Back' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL(/\/settings\/account$/);
    await expect(page.getByRole('heading', { name: 'Ada King' })).toBeVisible();
  });

  test('a user requests the deletion of the account by a message', async ({ page, app }) => {
    const person = newPerson();
    await signedIn(page, app, person, '/settings/account');
    await page.getByRole('button', { name: 'Delete Account' }).click();
    const form = page.getByRole('dialog', { name: 'User Deletion' });
    await expect(form.getByLabel('Name')).toHaveValue('Ada King');
    await expect(form.getByLabel('Email')).toHaveValue(person.email);
    await expect(form.getByLabel('Email')).not.toBeEditable();
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByRole('alert')).toHaveText('Type Message is required!');
    expect(await accessibilityProblems(page), 'deletion').toEqual([]);
    await form.getByLabel('Message').fill('Please delete my account.');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('dialog', { name: 'Thanks for reaching out!' })).toContainText('get back to you as soon as possible');
    expect(await accessibilityProblems(page), 'thanks').toEqual([]);
    await page.getByRole('button', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL(/\/home$/);
  });
});
