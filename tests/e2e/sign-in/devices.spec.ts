import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { logIn, newPerson, type Person } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

test.use(WORKER_AT_NIGHT);

/** Logs a registered user in on another device. */
async function logInOn(page: Page, url: string, who: Person): Promise<void> {
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(() => localStorage.setItem('onboarding-close', 'true'));
  await page.goto(`${url}/login`);
  await logIn(page, who);
  await expect(page).toHaveURL(/\/home$/);
}

const refuse = (status: number, code: string) => ({ status, json: { status, code, message: 'Something went wrong on our side.' } });

test('a device signed out from another one logs out at once and stays out', async ({ page, browser, app }) => {
  const ada = newPerson('Ada');
  await signedIn(page, app, ada);
  const other = await browser.newContext({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Safari/604.1' });
  const phone = await other.newPage();
  await logInOn(phone, app.url, ada);

  await page.goto('/settings/account');
  await page.getByRole('link', { name: 'Signed-in devices' }).click();
  const rows = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('This device');
  await expect(rows.last()).toContainText('Safari on iPhone');
  await expect(rows.last()).toContainText('127.0.0.0/24');
  expect(await accessibilityProblems(page), 'devices').toEqual([]);

  await rows
    .last()
    .getByRole('button', { name: /^Sign out Safari on iPhone/ })
    .focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Sign out this device' });
  await expect(question).toBeVisible();
  expect(await accessibilityProblems(page), 'question').toEqual([]);
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('Safari on iPhone is signed out.')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(phone).toHaveURL(/\/login$/);
  await phone.goto(`${app.url}/home`);
  await expect(phone).not.toHaveURL(/\/home$/);
  await other.close();
});

test('signing out finishes while the server fails, and ends the session on the server later', { tag: '@nightly' }, async ({
  page,
  browser,
  app,
}) => {
  const bob = newPerson('Bob');
  await signedIn(page, app, bob);
  const other = await browser.newContext();
  const desktop = await other.newPage();
  await logInOn(desktop, app.url, bob);

  const second = await page.context().newPage();
  await second.goto('/home');
  await expect(second.getByRole('heading', { name: 'Bob King' })).toBeVisible();
  await page.context().route(/\/api\/auth\/(logout|end-session)\//, (route) => route.fulfill(refuse(500, 'internal')));
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(second).toHaveURL(/\/login$/);
  const words = 'Signed out on this device. We’ll end the session on the server when it answers.';
  await expect(page.getByText(words)).toBeVisible();
  expect(await accessibilityProblems(page), 'login').toEqual([]);
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(['tidemark']);

  await page.context().unrouteAll();
  await page.reload();
  await expect(page.getByText(words)).toBeHidden();
  const alone = desktop.getByText('No other device is signed in.');
  const signedInAlone = async () => {
    await desktop.goto(`${app.url}/settings/devices`);
    await desktop.getByRole('list', { name: 'Signed-in devices' }).waitFor();
    return alone.isVisible();
  };
  await expect.poll(signedInAlone, { message: 'the server has not ended the session' }).toBe(true);
  await other.close();
});

test('a new password asks for the current one and keeps the form', async ({ page, app }) => {
  await signedIn(page, app, newPerson('Eve'));
  let needsPassword = true;
  await page.route(/\/api\/auth\/user\//, (route) =>
    route.request().method() === 'PATCH' && needsPassword ? route.fulfill(refuse(403, 're_authentication_required')) : route.fallback(),
  );
  await page.route(/\/api\/auth\/re-authenticate\//, async (route) => {
    const response = await route.fetch();
    needsPassword = response.status() !== 200;
    await route.fulfill({ response });
  });
  await page.goto('/settings/profile');
  await page.getByLabel('Password', { exact: true }).fill('Fghij2');
  await page.getByLabel('Confirm Password').fill('Fghij2');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const current = question.getByLabel('Current password');
  await expect(current).toBeFocused();
  expect(await accessibilityProblems(page), 'question').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByText('Nothing was changed. You did not confirm your password.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Fghij2');

  await page.getByRole('button', { name: 'Save Changes' }).click();
  await current.fill('Wrong1');
  await page.keyboard.press('Enter');
  await expect(question.getByText('The password is not correct.')).toBeVisible();
  await expect(current).toBeFocused();
  await current.fill('Abcde1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('User updated successfully!')).toBeVisible();
});
