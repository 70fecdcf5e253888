import { type BrowserContext, expect, type Page } from '@playwright/test';
import { register, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { holdTimers } from '#tests/support/browser/held-timers.ts';
import { closeOnboarding, fillSignUp, logIn, newPerson } from '#tests/support/browser/main-path.ts';
import { lettersTo, otherThan } from '#tests/support/mail/letters.ts';
import { test } from '../fixtures.ts';

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

const NEW_PASSWORD = 'Fghij2';
/** How long a form says that it succeeded, ms (src/client/features/account/form-success.tsx). */
const SUCCESS_MS = 2_000;

/** Opens a browser context that shares nothing with the test's own. */
async function otherDevice(context: BrowserContext, baseURL: string): Promise<Page> {
  const browser = context.browser();
  if (!browser) throw new Error('no browser');
  const page = await browser.newPage({ baseURL });
  await closeOnboarding(page);
  return page;
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Digit 1 of 4').fill(code); // not any text box: the mail may come before the screen
}

const sessionKeys = (page: Page) => page.evaluate(() => Object.keys(sessionStorage));

test('a user resets a forgotten password with the code from the e-mail', async ({ page, app, context }) => {
  const person = newPerson();
  const { email } = person;
  await signedIn(page, app, person);
  const other = await otherDevice(context, app.url);
  const leaveSuccess = await holdTimers(other, SUCCESS_MS);

  await other.goto('/login');
  await other.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(other.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  await expect(other.getByText('Please enter a email address to request a password reset.')).toBeVisible();
  await expect(other.getByLabel('Email')).toBeFocused();
  expect(await accessibilityProblems(other), 'forgot-password').toEqual([]);
  await other.getByRole('link', { name: 'Wait, I remember my password' }).click();
  await expect(other).toHaveURL(/\/login$/);
  await other.goBack();
  await expect(other.getByRole('heading', { name: 'Forgot Password' })).toBeVisible(); // the login page has such a field too

  // Offline, the form keeps the address and says why it was not sent.
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
  await expect.poll(() => sessionKeys(other)).toHaveLength(1);
  await enterCode(other, await app.readCode(email));
  await expect(other).toHaveURL(/\/reset-password$/);
  await expect(other.getByText('Please type your new password.')).toBeVisible();
  await other.reload(); // the permission to set it survives
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
  await expect.poll(() => sessionKeys(other)).toEqual([]);
  await leaveSuccess();
  await expect(other).toHaveURL(/\/login$/);

  await logIn(other, person);
  await expect(other.getByRole('alert')).toHaveText('Invalid email or password');
  await logIn(other, { email, password: NEW_PASSWORD });
  await expect(other).toHaveURL(/\/home$/);
  await other.close();

  // The new password ended the old sessions.
  await page.goto('/settings/account');
  await expect(page).toHaveURL(/\/login$/);
});

test('after three wrong codes, the link in the e-mail sets the new password', { tag: '@nightly' }, async ({ app, context }) => {
  const person = newPerson();
  const { email } = person;
  await register(app, person);
  const other = await otherDevice(context, app.url);
  await other.goto('/forgot-password');
  await other.getByLabel('Email').fill(email);
  await other.getByRole('button', { name: 'Send Reset Otp' }).click();
  const wrong = otherThan(await app.readCode(email));
  for (let tries = 1; tries <= 3; tries++) {
    await Promise.all([other.waitForResponse(/verify-recovery-code/), enterCode(other, wrong)]);
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

test('a user verifies an e-mail address long after signing up', async ({ page, app }) => {
  const leaveSuccess = await holdTimers(page, SUCCESS_MS);
  const ada = newPerson();
  await closeOnboarding(page);
  await fillSignUp(page, ada);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('timer')).toBeVisible();
  await app.readCode(ada.email); // and never enters it
  await page.getByRole('link', { name: 'Close' }).click();

  await logIn(page, ada);
  await page.getByRole('link', { name: 'Verify Email' }).click();
  await expect(page.getByRole('heading', { name: 'Email Verify' })).toBeVisible();
  await expect(page.getByText('Please enter a email address to request a email verification.')).toBeVisible();
  expect(await accessibilityProblems(page), 'verify-email').toEqual([]);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Email Verify' })).toBeVisible(); // the login page has such a field too
  await page.getByLabel('Email').fill(ada.email);
  await page.getByRole('button', { name: 'Send Otp' }).click();
  await expect(page).toHaveURL(/\/verification-email$/);
  await enterCode(page, await app.readCode(ada.email));
  await expect(page.getByText('Your email address is verified.')).toBeVisible();
  await expect.poll(() => sessionKeys(page)).toEqual([]);
  await leaveSuccess();
  await expect(page).toHaveURL(/\/login$/);
  await logIn(page, ada);
  await expect(page).toHaveURL(/\/home$/);
});

test('the code screen and the reset screen do not open on their own', async ({ page }) => {
  await closeOnboarding(page);
  for (const path of ['/verification-email', '/reset-password']) {
    await page.goto('/login');
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
});
