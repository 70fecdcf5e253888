import { type CDPSession, expect, type Page } from '@playwright/test';
import { register, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { holdTimers } from '#tests/support/browser/held-timers.ts';
import { logIn, newPerson, type Person } from '#tests/support/browser/main-path.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { test } from '../fixtures.ts';

/** How long the dialog that confirms a person waits for the passkeys, as in password-dialog.tsx, in ms. */
const OPTIONS_WAIT = 1_500;

interface Authenticator {
  cdp: CDPSession;
  id: string;
}

/** Gives the page's browser an authenticator with a screen lock. */
async function plugIn(page: Page, { answers = true } = {}): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: answers },
    },
  });
  return { cdp, id };
}

const credentialsOf = async ({ cdp, id }: Authenticator) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials;
/** Lets the authenticator answer or stay silent. */
const answer = ({ cdp, id }: Authenticator, enabled: boolean) =>
  cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled });
const verify = ({ cdp, id }: Authenticator, isUserVerified: boolean) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified });

async function openLogin(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(() => localStorage.setItem('onboarding-close', 'true'));
  await page.goto(`${url}/login`);
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /log ?out/i })
    .click();
  await expect(page).toHaveURL(/\/(?:login)?$/);
}

/**
 * Holds what the suggestions and the button's dialog of the next page sign. The returned function waits until both have
 * asked, and lets them go on.
 */
async function holdOptions(page: Page): Promise<() => Promise<void>> {
  await page.goto('about:blank'); // the page before may ask for its suggestions late
  let asked = 0;
  const gate = createGate();
  await page.route('**/passkeys/sign-in-options/', async (route) => {
    asked += 1;
    await gate.passed;
    await route.continue();
  });
  return async () => {
    await expect.poll(() => asked).toBe(2);
    gate.open();
  };
}

const withPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });
const passkeyRows = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

test('a passkey is offered after the password, signs in, is renamed and removed, and the password stays', async ({ page, app }) => {
  const ada = newPerson('Ada');
  await register(app, ada);
  const authenticator = await plugIn(page);
  // Suggestions of passkeys would sign in at once.
  await answer(authenticator, false);
  await openLogin(page, app.url);
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await logIn(page, ada);
  await expect(page).toHaveURL(/\/home$/);
  const offer = page.getByRole('region', { name: 'Sign in without your password next time' });
  await expect(offer).toBeVisible();
  expect(await accessibilityProblems(page), 'offer').toEqual([]);
  await answer(authenticator, true);
  await offer.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Your passkey is added.')).toBeVisible();
  await expect(offer).toBeHidden();
  expect(await credentialsOf(authenticator)).toEqual([expect.objectContaining({ rpId: 'localhost', isResidentCredential: true })]);

  await answer(authenticator, false);
  await logOut(page);
  await answer(authenticator, true);
  // A dialog that opens before the authenticator answers stays open, and suggestions would sign in before the press.
  const release = await holdOptions(page);
  await page.goto('/login');
  await withPasskey(page).click();
  await release();
  await expect(page).toHaveURL(/\/home$/);
  await expect(offer).toBeHidden();

  await page.goto('/settings/devices');
  await expect(passkeyRows(page)).toHaveCount(1);
  await expect(passkeyRows(page)).toContainText('Last used');
  expect(await accessibilityProblems(page), 'list').toEqual([]);
  await page.getByRole('button', { name: /^Rename / }).focus();
  await page.keyboard.press('Enter');
  const rename = page.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByLabel('Name').fill('evil.com');
  await page.keyboard.press('Enter');
  await expect(rename.getByRole('alert')).toContainText('links');
  await rename.getByLabel('Name').fill('My laptop');
  await page.keyboard.press('Enter');
  await expect(passkeyRows(page)).toContainText('My laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('This device has a passkey for your account already.')).toBeVisible();

  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  const question = page.getByRole('dialog', { name: 'Remove passkey' });
  await expect(question).toContainText('Your password keeps working');
  expect(await accessibilityProblems(page), 'question').toEqual([]);
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('My laptop is removed.')).toBeVisible();
  await expect(page.getByText('You have no passkey yet.')).toBeVisible();

  await logOut(page);
  await page.goto('/login');
  await withPasskey(page).click();
  await expect(page.getByText('This passkey was not accepted. Use your password instead.')).toBeVisible();
  expect(await accessibilityProblems(page), 'refused').toEqual([]);
  await logIn(page, ada);
  await expect(page).toHaveURL(/\/home$/);
});

/** Adds a passkey on the page of devices. */
async function addPasskey(page: Page): Promise<void> {
  await page.goto('/settings/devices');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeyRows(page)).toHaveCount(1);
}

async function withOwnPasskey(page: Page, app: Parameters<typeof signedIn>[1], who: Person): Promise<Authenticator> {
  const authenticator = await plugIn(page);
  await signedIn(page, app, who);
  await addPasskey(page);
  return authenticator;
}

test('the suggestions of the address field sign in by a passkey, and Remember Me holds', async ({ page, app }) => {
  const bob = newPerson('Bob');
  await withOwnPasskey(page, app, bob);
  // The authenticator answers as soon as the page offers passkeys.
  const gate = createGate();
  await page.route('**/passkeys/sign-in-options/', async (route) => {
    await gate.passed;
    await route.continue();
  });
  await logOut(page);
  await page.goto('/login');
  await page.getByLabel('Remember Me').uncheck();
  const used = page.waitForResponse((response) => response.url().endsWith('/passkeys/sign-in/'));
  gate.open();
  expect((await used).status()).toBe(200);
  await expect(page).toHaveURL(/\/home$/);
  // A session that is not remembered ends with its window.
  const other = await page.context().newPage();
  await page.close();
  await other.goto(app.url);
  await expect(other).toHaveURL(/\/sign-up$/);
});

test('suggestions that start slowly do not end the dialog of the button', async ({ page, app }) => {
  const sue = newPerson('Sue');
  const authenticator = await withOwnPasskey(page, app, sue);
  await answer(authenticator, false);
  await logOut(page);
  await page.addInitScript(() => {
    const looks = { checks: 0, starts: [] as unknown[] };
    let endChecks = () => {};
    const held = new Promise<void>((resolve) => {
      endChecks = resolve;
    });
    Object.assign(window, { looks, endChecks });
    const check = PublicKeyCredential.isConditionalMediationAvailable.bind(PublicKeyCredential);
    PublicKeyCredential.isConditionalMediationAvailable = async () => {
      looks.checks += 1;
      // The first is the page's own. All others end in the order in which they began.
      if (looks.checks > 1) await held;
      return check();
    };
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
      looks.starts.push(options?.mediation ?? 'dialog');
      return get(options);
    };
  });
  await page.goto('/login');
  const looks = () => page.evaluate(() => (window as unknown as { looks: { checks: number; starts: unknown[] } }).looks);
  // The page's own check, and the one with which its suggestions start.
  await expect.poll(async () => (await looks()).checks).toBe(2);
  await withPasskey(page).click();
  // That of the dialog.
  await expect.poll(async () => (await looks()).checks).toBe(3);
  await page.evaluate(() => (window as unknown as { endChecks(): void }).endChecks());
  await expect.poll(async () => (await looks()).starts).toHaveLength(2);
  expect((await looks()).starts).toEqual(['conditional', 'dialog']);
});

test('leaving the dialog says that the password is still there, and a device that does not verify its user is refused', async ({
  page,
  app,
}) => {
  const eve = newPerson('Eve');
  const authenticator = await withOwnPasskey(page, app, eve);
  await verify(authenticator, false);
  await logOut(page);
  await page.goto('/login');
  await withPasskey(page).click();
  await expect(page.getByText('No passkey was used. Try again, or log in with your password.')).toBeVisible();
  await logIn(page, eve);
  await expect(page).toHaveURL(/\/home$/);
});

test('a page without support for passkeys has the password alone', async ({ page, app }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('passkeys') && asked.push(request.url()));
  await openLogin(page, app.url);
  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
  await expect(withPasskey(page)).toBeHidden();
  const ann = newPerson('Ann');
  await register(app, ann);
  await logIn(page, ann);
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/settings/devices');
  await expect(page.getByText('This browser cannot use passkeys at this address.')).toBeVisible();
  expect(asked.filter((url) => url.includes('options'))).toEqual([]);
});

test('a dismissed offer stays away for this user on this device', async ({ page, app }) => {
  const ida = newPerson('Ida');
  await register(app, ida);
  const authenticator = await plugIn(page);
  await answer(authenticator, false);
  await openLogin(page, app.url);
  await logIn(page, ida);
  const offer = page.getByRole('region', { name: 'Sign in without your password next time' });
  await offer.getByRole('button', { name: 'No, thanks' }).click();
  await expect(offer).toBeHidden();
  await logOut(page);
  await page.goto('/login');
  await logIn(page, ida);
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/settings/devices');
  await expect(page.getByText('You have no passkey yet.')).toBeVisible();
  await expect(offer).toBeHidden();
});

test('a new password is confirmed by a passkey, or by the password', async ({ page, app }) => {
  const kim = newPerson('Kim');
  const authenticator = await withOwnPasskey(page, app, kim);
  const required = { status: 403, json: { status: 403, code: 're_authentication_required', message: 'Please confirm.' } };
  let confirmed = 0;
  await page.route('**/api/auth/passkeys/options/', (route) => (confirmed === 0 ? route.fulfill(required) : route.continue()));
  page.on('response', (response) => {
    if (response.url().includes('/passkeys/confirm/') && response.ok()) confirmed++;
  });
  // The dialog waits for its passkey button, however late a busy machine brings it.
  await holdTimers(page, OPTIONS_WAIT);
  await page.reload();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(dialog.getByLabel('Current password')).toBeVisible();
  expect(await accessibilityProblems(page), 'dialog').toEqual([]);
  await verify(authenticator, false);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dialog.getByText('No passkey was used. Try again, or enter your password.')).toBeVisible();
  await verify(authenticator, true);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => confirmed).toBe(1);
  await expect(page.getByText('This device has a passkey for your account already.')).toBeVisible();
});

test('offline, passkeys are listed as unavailable and cannot be changed', async ({ page, app }) => {
  const leo = newPerson('Leo');
  await withOwnPasskey(page, app, leo);
  await page.context().setOffline(true);
  await expect(page.getByText('You can add and change passkeys once you are online.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveAttribute('aria-disabled', 'true');
});
