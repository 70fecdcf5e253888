import { type BrowserContext, expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { closeOnboarding, fillSignUp, logIn, type Person } from '#tests/support/browser/main-path.ts';
import { lettersTo, otherThan } from '#tests/support/mail/letters.ts';
import { test } from '../fixtures.ts';

const person = (name: string): Person => ({
  firstName: 'Ada',
  lastName: 'King',
  email: `${name}.${test.info().project.name}@example.com`,
  password: 'Abcde1',
});
const NEW_PASSWORD = 'Fghij2';

/** Somebody else's browser: nothing of the first one is in it. */
async function otherDevice(context: BrowserContext, baseURL: string): Promise<Page> {
  const browser = context.browser();
  if (!browser) throw new Error('no browser');
  const page = await browser.newPage({ baseURL });
  await closeOnboarding(page);
  return page;
}

async function enter(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox').first().fill(code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

const notes = (page: Page) => page.evaluate(() => Object.keys(sessionStorage));

test('a forgotten password is set anew with the code from the mail', async ({ page, app, context }) => {
  const { email } = person('forgot');
  await signedIn(page, app, person('forgot'));
  const other = await otherDevice(context, app.url);

  await other.goto('/login');
  await other.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(other.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  await expect(other.getByText('Please enter a email address to request a password reset.')).toBeVisible();
  await expect(other.getByLabel('Email')).toBeFocused();
  expect(await accessibilityProblems(other), 'forgot-password').toEqual([]);
  await other.getByRole('link', { name: 'Wait, I remember my password' }).click();
  await expect(other).toHaveURL(/\/login$/);
  await other.goBack();

  // The connection goes while it is sent: the form stays, says so, and works when it is back.
  await other.context().setOffline(true);
  await other.getByLabel('Email').fill(email);
  await other.getByRole('button', { name: 'Send Reset Otp' }).click();
  await expect(other.getByRole('alert')).toHaveText('No connection. Please try again when you are online.');
  await expect(other.getByLabel('Email')).toHaveValue(email);
  expect(await accessibilityProblems(other), 'forgot-password, offline').toEqual([]);
  await other.context().setOffline(false);
  await other.getByRole('button', { name: 'Send Reset Otp' }).click();

  await expect(other).toHaveURL(/\/verification-email$/);
  await expect(other.getByText(`${'*'.repeat(email.indexOf('@'))}@example.com`)).toBeVisible();
  expect(await notes(other)).toHaveLength(1);
  await enter(other, await app.readCode(email));
  await expect(other).toHaveURL(/\/reset-password$/);
  await expect(other.getByText('Please type your new password.')).toBeVisible();
  await other.reload(); // the leave to set it survives that
  await expect(other.getByLabel('Password', { exact: true })).toBeFocused();
  await other.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await other.getByLabel('Confirm Password').fill('Fghij3');
  await other.getByRole('button', { name: 'Set New Password' }).click();
  await expect(other.getByRole('alert')).toHaveText('Password must match');
  expect(await accessibilityProblems(other), 'reset-password').toEqual([]);
  await other.getByLabel('Confirm Password').fill(NEW_PASSWORD);
  await other.getByRole('button', { name: 'Set New Password' }).click();
  await expect(other.getByRole('status').filter({ hasText: /./ })).toBeVisible();
  await expect(other).toHaveURL(/\/reset-password$/);
  expect(await notes(other)).toEqual([]);
  await expect(other).toHaveURL(/\/login$/);

  await logIn(other, person('forgot'));
  await expect(other.getByRole('alert')).toHaveText('Invalid email or password');
  await logIn(other, { email, password: NEW_PASSWORD });
  await expect(other).toHaveURL(/\/home$/);
  await other.close();

  // Whoever was signed in with the old password is not any more.
  await page.goto('/settings/account');
  await expect(page).toHaveURL(/\/login$/);
});

test('after three wrong codes the mailed link sets the new password', async ({ page, app, context }) => {
  const { email } = person('link');
  await signedIn(page, app, person('link'));
  const other = await otherDevice(context, app.url);
  await other.goto('/forgot-password');
  await other.getByLabel('Email').fill(email);
  await other.getByRole('button', { name: 'Send Reset Otp' }).click();
  const wrong = otherThan(await app.readCode(email));
  for (let tries = 1; tries <= 3; tries++) {
    await Promise.all([other.waitForResponse(/verify-recovery-code/), enter(other, wrong)]);
    const text = tries < 3 ? 'The code is not correct.' : 'Too many wrong codes. Use the link in our latest mail to set a new password.';
    await expect(other.getByRole('alert')).toHaveText(text);
    await expect(other.getByRole('textbox').first()).toBeFocused();
  }
  expect(await accessibilityProblems(other), 'code screen, link only').toEqual([]);

  const [letter] = await lettersTo(app.dataDir, email);
  await other.goto(letter?.text.match(/^https?:\S+\/reset-link\/\S+$/m)?.[0] ?? '');
  expect(await accessibilityProblems(other), 'page of the link').toEqual([]);
  await other.getByLabel('New Password').fill(NEW_PASSWORD);
  await other.getByRole('button', { name: 'Set New Password' }).click();
  await other.getByRole('link', { name: 'Log in' }).click();
  await logIn(other, { email, password: NEW_PASSWORD });
  await expect(other).toHaveURL(/\/home$/);
  await other.close();
});

test('an address that was never proved is proved later', async ({ page, app }) => {
  const ada = person('later');
  await closeOnboarding(page);
  await fillSignUp(page, ada);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('timer')).toBeVisible();
  await app.readCode(ada.email); // and does nothing with it
  await page.getByRole('link', { name: 'Close' }).click();

  await logIn(page, ada);
  await page.getByRole('link', { name: 'Verify Email' }).click();
  await expect(page.getByRole('heading', { name: 'Email Verify' })).toBeVisible();
  await expect(page.getByText('Please enter a email address to request a email verification.')).toBeVisible();
  expect(await accessibilityProblems(page), 'verify-email').toEqual([]);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goBack();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByRole('button', { name: 'Send Otp' }).click();
  await expect(page).toHaveURL(/\/verification-email$/);
  await enter(page, await app.readCode(ada.email));
  await expect(page.getByText('Your email address is verified.')).toBeVisible();
  expect(await notes(page)).toEqual([]);
  await expect(page).toHaveURL(/\/login$/);
  await logIn(page, ada);
  await expect(page).toHaveURL(/\/home$/);
});

test('neither the code screen nor the reset opens without what leads there', async ({ page }) => {
  await closeOnboarding(page);
  for (const path of ['/verification-email', '/reset-password']) {
    await page.goto('/login');
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
});
