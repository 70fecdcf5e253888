import { expect, type Page } from '@playwright/test';
import { openAs, register, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { logIn, newPerson } from '#tests/support/browser/main-path.ts';
import { sharePicture, waitingShares } from '#tests/support/browser/share-picture.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { axisPicture } from '#tests/support/charts/axis-picture.ts';
import { composer, conversation, expectSent, PICTURE_LIMIT } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

const chart = () => axisPicture({ top: 65_000, step: 1000 });
const attached = (page: Page) => page.getByRole('button', { name: 'Remove picture' });
const allowance = (page: Page, left: number) => page.getByText(`${left} of 3 chart analyses left this month`);

/** Shares into the new chat. Waits for the page that opens, because the one before it may have its address. */
async function shareToChat(page: Page, shared: Parameters<typeof sharePicture>[1]): Promise<void> {
  const opened = page.waitForEvent('load');
  await sharePicture(page, shared);
  await opened;
  await page.waitForURL('**/chat');
}

/** Takes the lock of shares. Returns a function that frees it. */
async function holdLock(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(
    () =>
      new Promise<void>((held) => {
        const hold = (free: () => void) => {
          Object.assign(window, { free });
          held();
        };
        void navigator.locks.request('tidemark-shared', () => new Promise<void>(hold));
      }),
  );
  return () => page.evaluate(() => Reflect.get(window, 'free')());
}

test('a shared picture opens a new chat offline with its reading and chips, survives closed pages, and is sent once', async ({
  page,
  context,
  app,
}) => {
  await signedIn(page, app, newPerson(), '/chat');
  await expect(allowance(page, 3)).toBeVisible();
  await workerReady(page);
  // The coin of a question comes from the list that the device keeps.
  await deviceHas(page, 'coinLists', /^coins\//);
  await context.setOffline(true);
  await shareToChat(page, { picture: await chart(), text: 'BTCUSDT' });
  await expect(page.getByText('Read on this device')).toBeVisible();
  await expect(composer(page)).toHaveValue('BTCUSDT');
  const chip = page.getByRole('group', { name: 'Levels of Bitcoin' }).getByRole('button', { name: /^Alert at 60,080/ });
  await expect(chip).toBeVisible();
  await expect.poll(() => waitingShares(page)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await chip.click();
  await page.getByRole('dialog', { name: 'Alert for BTC' }).getByLabel('Note (optional)').fill('Shared');
  await page.keyboard.press('Escape');

  // A page that is closed before it has taken the share leaves it to the next one; of two, one takes it.
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await composer(page).fill('');
  await shareToChat(page, { picture: await chart(), text: 'BTCUSDT levels' });
  await page.close();
  const [one, other] = await Promise.all([context.newPage(), context.newPage()]);
  await Promise.all([one.goto('/chat'), other.goto('/chat')]);
  await expect.poll(() => waitingShares(one)).toBe(0);
  await Promise.all([one.reload(), other.reload()]);
  for (const tab of [one, other]) {
    await expect(attached(tab)).toBeVisible();
    await expect(composer(tab)).toHaveValue('BTCUSDT levels');
  }
  await composer(one).press('Enter');
  await one.waitForURL('**/chat/archive/*');
  // The other tab still shows the draft, and opens the chat that the first one has begun.
  await composer(other).press('Enter');
  await other.waitForURL(one.url());
  await other.close();
  await expect(conversation(one).getByText('Waiting for connection')).toBeVisible();
  await one.reload();
  const third = await context.newPage();
  await third.goto('/archive');
  await context.setOffline(false);
  await expectSent(one);
  await expect(conversation(one)).toContainText('candle', { timeout: PICTURE_LIMIT });
  await one.goto('/chat');
  await expect(allowance(one, 2)).toBeVisible();
  await expect(attached(one)).toHaveCount(0);
  await one.goto('/archive');
  await expect(one.locator('a[href^="/chat/archive/"]')).toHaveCount(1);
});

test('a share that comes while another tab takes one waits for it, and is not lost', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/home');
  await workerReady(page);
  // Another tab that takes an older share holds this lock.
  const free = await holdLock(page);
  const other = await context.newPage();
  await other.goto('/home');
  await sharePicture(other, { picture: await chart(), text: 'ETHUSDT' });
  await other.waitForURL('**/chat');
  await expect(composer(other)).toBeVisible();
  expect(await waitingShares(other)).toBe(1);
  await free();
  await expect(attached(other)).toBeVisible();
  await expect(composer(other)).toHaveValue('ETHUSDT');
  await expect.poll(() => waitingShares(other)).toBe(0);
});

test('a tab that still starts leaves a share to the page that it has opened', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/home');
  await workerReady(page);
  const other = await context.newPage();
  // What follows the first screen waits until the page is idle.
  await other.addInitScript(() => {
    const freed = new Promise<void>((start) => Object.assign(window, { start }));
    const { requestIdleCallback } = window;
    window.requestIdleCallback = (...request) => {
      void freed.then(() => requestIdleCallback(...request));
      return 0;
    };
  });
  await other.goto('/home');
  const free = await holdLock(other);
  await sharePicture(page, { picture: Buffer.alloc(0), text: 'ETHUSDT' });
  await page.waitForURL('**/chat');
  await expect(composer(page)).toBeVisible();
  await other.evaluate(() => Reflect.get(window, 'start')());
  await expect(other).toHaveTitle(/^Home/);
  await free();
  await expect(composer(page)).toHaveValue('ETHUSDT');
  await expect.poll(() => waitingShares(page)).toBe(0);
  await expect(other).toHaveURL(/\/home$/);
});

test('a visitor is told that the share waits, and has it after the login; the sign-out deletes what waits', async ({ page, app }) => {
  const person = newPerson();
  await signedIn(page, app, person, '/chat');
  await workerReady(page);
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(/\/(login)?$/);
  await sharePicture(page, { picture: await chart() });
  const told = page.getByRole('region', { name: 'What you shared waits here' });
  await expect(told).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto('/login');
  await logIn(page, person);
  await page.waitForURL('**/chat');
  await expect(attached(page)).toBeVisible();
  await expect(told).toHaveCount(0);
});

test('what cannot be used says why: a file that is no picture, and one that is too large', async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await workerReady(page);
  await page.reload();
  await composer(page).fill('My question');
  // A page that is left before its database is open cannot keep what was typed.
  await deviceHas(page, 'drafts', /^new$/);
  await shareToChat(page, { picture: Buffer.from('<svg onload="alert(1)"/>') });
  await expect(page.getByRole('alert')).toHaveText('The picture must be a PNG, JPEG, GIF, WebP or HEIC image.');
  await expect(composer(page)).toHaveValue('My question');
  await sharePicture(page, { picture: Buffer.alloc(11 * 1024 * 1024, 1) });
  await expect(page.getByRole('alert')).toHaveText('The shared picture is too large. Share one of at most 10 MB.');
  await expect(page).toHaveURL(/\/chat$/);
  await expect(attached(page)).toHaveCount(0);
});

test('a foreign site can only put a picture into the composer: nothing is sent or counted', async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await workerReady(page);
  await page.goto('about:blank');
  await sharePicture(page, { picture: await chart(), text: 'Buy', to: app.url });
  await page.waitForURL(`${app.url}/chat`);
  await expect(attached(page)).toBeVisible();
  await expect(composer(page)).toHaveValue('Buy');
  await expect(allowance(page, 3)).toBeVisible();
});

test.describe('without the worker', () => {
  test.use({ serviceWorkers: 'block' });

  test('the server hands the picture back, and the new chat has it', async ({ page, app }) => {
    const person = newPerson();
    await register(app, person);
    await openAs(page, app, person, '/chat');
    await sharePicture(page, { picture: await chart(), text: 'Where is BTC going?' });
    await page.waitForURL('**/chat');
    await expect(attached(page)).toBeVisible();
    await expect(composer(page)).toHaveValue('Where is BTC going?');
    await expect(page.getByRole('group', { name: 'Levels of Bitcoin' }).getByRole('button').first()).toBeVisible();
    await page.goBack();
    await expect(page).not.toHaveURL(/share/);
  });
});
