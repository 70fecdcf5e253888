import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { closeOnboarding, fillSignUp, logIn, logOut, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('a user signs up by keyboard alone, with the code from the e-mail', async ({ page, app }) => {
    const { email } = newPerson();
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
    await expect(page.getByRole('timer')).toHaveText(/^The code expires in (3:00|2:\d\d)$/);
    await expect(page.getByRole('button', { name: 'Resend Code' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Verify' })).toBeDisabled();
    await expect(page.getByRole('textbox').first()).toBeFocused();
    const code = await app.readCode(email);

    await page.keyboard.type(code === '0000' ? '1111' : '0000');
    await expect(page.getByRole('alert')).toHaveText('The code is not correct.');
    expect(await accessibilityProblems(page)).toEqual([]);

    await expect(page.getByRole('textbox').first()).toBeFocused();
    await page.keyboard.type(code);
    await expect(page).toHaveURL(/\/home$/);
    await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  test('the code screen survives a reload, links to the mailbox, and keeps nothing after it is closed', async ({ page }) => {
    const ada = newPerson();
    await closeOnboarding(page);
    await fillSignUp(page, ada);

    // The form keeps its values while the user reads the terms.
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

    // Login refuses the unverified account and links to the verification.
    await page.goto('/login');
    await logIn(page, ada);
    await expect(page.getByRole('alert').getByRole('link', { name: 'Verify Email' })).toHaveAttribute('href', '/verify-email');
  });

  test('login refuses a wrong password and accepts the right one', async ({ page, app }) => {
    const ada = newPerson();
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
});

test.describe('Remember Me', () => {
  let profile: string;
  test.beforeEach(() => {
    profile = mkdtempSync(join(tmpdir(), 'tidemark-browser-'));
  });
  test.afterEach(() => rmSync(profile, { recursive: true, force: true }));

  const firstPage = async (browser: BrowserContext) => browser.pages()[0] ?? browser.newPage();

  test('decides whether the session outlives the browser', async ({ app, launchOptions, viewport, hasTouch }) => {
    const ada = newPerson();
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
    await expect(page.getByText('Ada King')).toBeVisible(); // same window, same session
    await browser.close();

    browser = await open();
    page = await firstPage(browser);
    await page.goto('/');
    await expect(page).toHaveURL(/\/sign-up$/);
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(['tidemark']);
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

test.describe('without a service worker, which would serve the scripts', () => {
  test.use({ serviceWorkers: 'block' });

  test('the chosen appearance applies from the first paint', async ({ page, app }) => {
    await signedIn(page, app, newPerson(), '/settings/account');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(11, 18, 32)');
    await page.getByText('Light', { exact: true }).click();
    await expect.poll(ground).toBe('rgb(247, 249, 252)');
    // The app's scripts never arrive.
    await page.route('**/assets/*.js', () => {});
    await page.reload({ waitUntil: 'commit' });
    // The style sheet blocks the first paint.
    await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
    await expect(page.locator('.boot-mark')).toBeVisible();
    expect(await ground()).toBe('rgb(247, 249, 252)');
  });
});

// accessibility.spec.ts checks these screens as they open.
test('the logout dialog and a refused sign-up have no accessibility problem, and the legal pages open offline', async ({
  page,
  app,
  context,
}) => {
  await signedIn(page, app, newPerson(), '/settings/account');
  await expect(page.getByRole('heading', { name: 'Ada King' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await accessibilityProblems(page), 'logout').toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();

  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page.getByRole('heading', { name: 'Create an Account' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('alert')).toHaveCount(6);
  expect(await accessibilityProblems(page), 'sign-up with errors').toEqual([]);

  await workerReady(page);
  await context.setOffline(true);
  for (const path of ['/settings/terms-and-conditions', '/settings/privacy-policies']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: '10. Contact' })).toBeAttached();
  }
});
