import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { closeOnboarding, fillSignUp, logIn, type Person } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

const person = (name: string): Person => ({
  firstName: 'Ada',
  lastName: 'King',
  email: `${name}.${test.info().project.name}@example.com`,
  password: 'Abcde1',
});

async function logOut(page: Page): Promise<void> {
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

test('sign-up by keyboard alone, with the code from the mail', async ({ page, app }) => {
  const { email } = person('keyboard');
  const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  await closeOnboarding(page);

  await expect(page.getByLabel('First Name')).toBeFocused();
  await page.keyboard.type('Ada');
  await press('Tab');
  await page.keyboard.type('King');
  await press('Tab');
  await page.keyboard.type(email);
  await press('Tab');
  await page.keyboard.type('Abcde1');
  await press('Tab', 'Space'); // Show password
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await press('Tab');
  await page.keyboard.type('Abcde1');
  await press('Tab', 'Tab', 'Space'); // past its own toggle, to the terms
  await expect(page.getByRole('checkbox')).toBeChecked();
  await press('Tab', 'Tab', 'Enter'); // past the link in its label
  await expect(page).toHaveURL(/\/verification-email$/);

  await expect(page.getByText(`${'*'.repeat(email.indexOf('@'))}@example.com`)).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^The code expires in (3:00|2:5\d)$/);
  await expect(page.getByRole('button', { name: 'Resend Code' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Verify' })).toBeDisabled();
  await expect(page.getByRole('textbox').first()).toBeFocused();
  const code = await app.readCode(email);

  await page.keyboard.type(code === '0000' ? '1111' : '0000');
  await press('Enter');
  await expect(page.getByRole('alert')).toHaveText('The code is not correct.');
  expect(await accessibilityProblems(page)).toEqual([]);

  await expect(page.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.type(code);
  await press('Enter');
  await expect(page).toHaveURL(/\/home$/);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
});

test('the code screen survives a reload, shows the local mailbox, and forgets everything when it is left', async ({ page }) => {
  const ada = person('reload');
  await closeOnboarding(page);
  await fillSignUp(page, ada);

  // The terms are one step away, and the form is as it was afterwards.
  await page.getByRole('link', { name: 'Terms and Conditions' }).click();
  await expect(page.getByRole('heading', { name: '9. Governing law' })).toBeAttached();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(ada.email);
  await expect(page.getByLabel('Confirm Password')).toHaveValue('Abcde1');

  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('timer')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('timer')).toBeVisible();
  const [mailbox] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'mailbox' }).click()]);
  await expect(mailbox.getByText(ada.email).first()).toBeVisible();
  await mailbox.close();

  await page.getByRole('link', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goBack();
  await expect(page.getByRole('timer')).toBeHidden();

  // The account waits for its code: login says so and leads there.
  await page.goto('/login');
  await logIn(page, ada);
  await expect(page.getByRole('alert').getByRole('link', { name: 'Verify Email' })).toHaveAttribute('href', '/verify-email');
});

test('login refuses a wrong password and takes the right one', async ({ page, app }) => {
  const ada = person('login');
  await signedIn(page, app, ada);
  await logOut(page);
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(['tidemark']);

  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await logIn(page, { ...ada, password: 'Wrong12' });
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
  await expect(page.getByLabel('Email')).toHaveValue(ada.email);
  expect(await accessibilityProblems(page)).toEqual([]);
  await logIn(page, ada);
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/home$/);
});

test.describe('Remember Me', () => {
  let profile: string;
  test.beforeEach(() => {
    profile = mkdtempSync(join(tmpdir(), 'tidemark-browser-'));
  });
  test.afterEach(() => rmSync(profile, { recursive: true, force: true }));

  const firstPage = async (browser: BrowserContext) => browser.pages()[0] ?? browser.newPage();

  test('decides whether the session outlives the browser', async ({ app, launchOptions, viewport, hasTouch }) => {
    const ada = person('remember');
    const open = () =>
      chromium.launchPersistentContext(profile, { ...launchOptions, viewport, hasTouch: hasTouch ?? false, baseURL: app.url });
    let browser = await open();
    let page = await firstPage(browser);
    await signedIn(page, app, ada);
    await logOut(page);

    await page.getByLabel('Remember Me').uncheck();
    await logIn(page, ada);
    await expect(page).toHaveURL(/\/home$/);
    await page.reload();
    await expect(page.getByText('Ada King')).toBeVisible(); // the window is still the same
    await browser.close();

    browser = await open();
    page = await firstPage(browser);
    await page.goto('/');
    await expect(page).toHaveURL(/\/sign-up$/);
    await page.goto('/login');
    await logIn(page, ada);
    await expect(page).toHaveURL(/\/home$/);
    await browser.close();

    browser = await open();
    page = await firstPage(browser);
    await page.goto('/');
    await expect(page).toHaveURL(/\/home$/);
    await browser.close();
  });
});

test.describe('without a worker, which would bring the scripts itself', () => {
  test.use({ serviceWorkers: 'block' });

  test('the appearance is chosen once and right from the first paint', async ({ page, app }) => {
    await signedIn(page, app, person('appearance'));
    await page.goto('/settings/account');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(11, 18, 32)');
    await page.getByText('Light', { exact: true }).click();
    expect(await ground()).toBe('rgb(247, 249, 252)');
    // Nothing but the page itself and the little script in its head: no part of the app has run yet.
    await page.route('**/assets/*.js', () => {});
    await page.reload({ waitUntil: 'commit' });
    // The style sheet holds the first paint back, so before it there is nothing to see and nothing to ask for.
    await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
    await expect(page.locator('.boot-mark')).toBeVisible();
    expect(await ground()).toBe('rgb(247, 249, 252)');
  });
});

test('no account or legal page has an accessibility problem, and the legal ones need no connection', async ({ page, app, context }) => {
  test.slow();
  await signedIn(page, app, person('axe'));
  await page.goto('/settings/account');
  await expect(page.getByRole('heading', { name: 'Ada King' })).toBeVisible();
  expect(await accessibilityProblems(page), 'account').toEqual([]);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await accessibilityProblems(page), 'logout').toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(await accessibilityProblems(page), 'login').toEqual([]);

  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page.getByRole('heading', { name: 'Create an Account' })).toBeVisible();
  expect(await accessibilityProblems(page), 'sign-up').toEqual([]);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('alert')).toHaveCount(6);
  expect(await accessibilityProblems(page), 'sign-up with errors').toEqual([]);

  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  for (const path of ['/settings/terms-and-conditions', '/settings/privacy-policies']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: '10. Contact' })).toBeAttached();
    expect(await accessibilityProblems(page), path).toEqual([]);
  }
});
