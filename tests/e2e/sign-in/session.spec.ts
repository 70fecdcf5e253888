import { type BrowserContext, expect, type Page, type Response } from '@playwright/test';
import { openAs, register, signedIn } from '#tests/support/accounts/signed-in.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { ask, logIn, newPerson, type Person } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

async function logInAgain(page: Page, person: Person): Promise<void> {
  await logIn(page, person);
  await expect(page).toHaveURL(/\/home$/);
}

/** Returns everything in the device's databases, caches and storages as one text. */
const everythingStored = (page: Page) =>
  page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of db.objectStoreNames) {
        const rows = await new Promise<unknown[]>((resolve) => {
          const reading = db.transaction(store).objectStore(store).getAll();
          reading.onsuccess = () => resolve(reading.result);
        });
        found.push(name, store, rows);
      }
      db.close();
    }
    for (const name of await caches.keys())
      found.push(
        name,
        (await (await caches.open(name)).keys()).map(({ url }) => url),
      );
    return JSON.stringify(found);
  });

/** Makes the stored session unreadable. */
const corrupt = (page: Page, how: 'tamper' | 'change key') =>
  page.evaluate(async (what) => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('tidemark');
      opening.onsuccess = () => resolve(opening.result);
    });
    const put = async (store: string, row: unknown) => {
      const transaction = db.transaction(store, 'readwrite');
      transaction.objectStore(store).put(row);
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
    };
    if (what === 'change key') {
      const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
      await put('keys', { id: 'storage', key });
    } else {
      await put('session', { id: 'current', sealed: crypto.getRandomValues(new Uint8Array(200)).buffer, window: null });
    }
    db.close();
  }, how);

test('signing out leaves nothing for the next user, in two tabs and offline', async ({ page, context, app }) => {
  const ada = newPerson('Ada');
  const bob = newPerson('Bob');
  await register(app, bob);

  await signedIn(page, app, ada);
  await ask(page, app, 'What is staking?');
  await page.goto('/crypto/details/1');
  await expect(page.getByRole('heading', { name: 'Bitcoin' }).first()).toBeVisible();
  await page.goto('/settings/account');
  await page.evaluate(() => localStorage.setItem('training-insight-page', '2'));
  const second = await context.newPage();
  await second.goto('/archive');
  await expect(second.locator('a[href^="/chat/archive/"]').first()).toBeVisible();
  // Answers show before they are stored.
  for (const trace of [ada.email, 'What is staking?', 'training-insight-page'])
    await expect.poll(() => everythingStored(page)).toContain(trace);

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(second).toHaveURL(/\/login$/);
  await logInAgain(page, bob);
  await page.goto('/archive');
  await expect(page.getByText('Your chats will be kept here.')).toBeVisible();
  await second.goto('/home');
  await expect(second.getByRole('heading', { name: 'Bob King' })).toBeVisible();

  await workerReady(page);
  await context.setOffline(true);
  for (const tab of [page, second]) {
    for (const path of ['/home', '/archive', '/settings/account']) {
      await tab.goto(path);
      await expect(tab.getByRole('heading').first()).toBeVisible();
      const words = await tab.getByRole('main').innerText();
      for (const trace of ['Ada', ada.email, 'staking']) expect(words).not.toContain(trace);
    }
  }
  const after = await everythingStored(page);
  expect(after).toContain(bob.email);
  for (const trace of ['"Ada"', ada.email, 'staking', 'training-insight-page']) expect(after).not.toContain(trace);
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  for (const how of ['tamper', 'change key'] as const) {
    test(`an unreadable stored session leads to login (${how})`, { tag: how === 'tamper' ? [] : ['@nightly'] }, async ({ page, app }) => {
      const person = newPerson();
      await signedIn(page, app, person);
      // Otherwise this page may read the broken session, delete it, and leave none for the next.
      await expect(page.getByRole('heading', { name: 'Ada King' })).toBeVisible();
      await corrupt(page, how);
      await page.goto('/home');
      await expect(page).toHaveURL(/\/login$/);
      await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
      await logInAgain(page, person);
      await page.reload();
      await expect(page).toHaveURL(/\/home$/);
    });
  }

  test('a browser without storage shows an error, and opens the app once storage works', async ({ page }) => {
    await page.addInitScript(() => {
      if (sessionStorage.getItem('storage-allowed')) return;
      IDBFactory.prototype.open = () => {
        throw new DOMException('denied', 'SecurityError');
      };
    });
    await page.goto('/login');
    await expect(page.getByRole('alert')).toContainText('Tidemark cannot store anything here');
    await page.evaluate(() => sessionStorage.setItem('storage-allowed', 'yes'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome to Tidemark' })).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
  });

  test('storage that a killed browser still holds opens as soon as it can', async ({ page, app, reader }) => {
    await openAs(page, app, reader);
    await expect(page.getByRole('navigation').first()).toBeVisible();
    await page.addInitScript(() => {
      let left = 4;
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (...args) {
        if (left === 0) return open.apply(this, args);
        left -= 1;
        const error = new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
        const request = Object.assign(new EventTarget(), { error }) as IDBOpenDBRequest;
        queueMicrotask(() => request.onerror?.(new Event('error')));
        return request;
      };
    });
    await page.reload();
    await expect(page.getByRole('navigation').first()).toBeVisible();
  });
});

/** Moves the clock of this context's pages. The server's clock stays. */
async function anHourLater(context: BrowserContext): Promise<void> {
  await context.clock.install({ time: Date.now() + 60 * 60_000 });
}

test('two tabs renew an expired access token once, and the cached app opens offline', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson('Eve'), '/archive');
  await expect(page.getByText('Your chats will be kept here.')).toBeVisible();
  await workerReady(page);
  await page.close();

  await anHourLater(context);
  // Answers, not requests: a request made offline fails, or waits for the worker's start until the page is online.
  const refreshes: number[] = [];
  context.on('response', (response) => response.url().includes('/auth/refresh-token') && refreshes.push(response.status()));
  const tabs = [await context.newPage(), await context.newPage()];
  await context.setOffline(true);
  for (const tab of tabs) {
    await tab.goto('/home');
    await expect(tab.getByRole('heading', { name: 'Eve King' })).toBeVisible();
    await expect(tab.getByText(/^Offline · saved /).first()).toBeVisible();
  }

  // Each tab finds the server, has a token, and then asks: three answers, one after another.
  const isList = (response: Response) => response.url().includes('/archives/') && response.ok();
  const answered = Promise.all(tabs.map((tab) => tab.waitForResponse(isList, { timeout: 75_000 })));
  await context.setOffline(false);
  await answered;
  expect(refreshes).toEqual([200]);
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('a session ended by the server keeps the data, and the draft is there after logging in', async ({ page, app }) => {
    const mia = newPerson('Mia');
    await signedIn(page, app, mia);
    await ask(page, app, 'What is staking?');
    await expect(page.getByRole('textbox').last()).toHaveValue('');
    await page.getByRole('textbox').last().fill('half a thought');
    await deviceHas(page, 'drafts', /^[0-9a-f-]{36}$/);
    // The page is closed first: a request of its own would end the session before the next page starts, which then finds a visitor.
    await page.goto('about:blank');
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 401, json: { status: 401, code: 'session_ended', message: 'This session has ended.' } }),
    );
    await page.goto(`${app.url}/archive`);
    await expect(page).toHaveURL(/\/login$/);
    expect(await everythingStored(page)).toContain('What is staking?');
    await page.unroute('**/api/**');
    await logInAgain(page, mia);
    await page
      .getByRole('link', { name: /staking/i })
      .first()
      .click();
    await expect(page.getByRole('textbox').last()).toHaveValue('half a thought');
  });
});
