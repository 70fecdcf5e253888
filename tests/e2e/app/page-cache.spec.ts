import { type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { DEVICE_DB, userDbName } from '#client/platform/db/db-names.ts';
import { register, signedIn } from '#tests/support/accounts/signed-in.ts';
import { chromiumArgs, findChromium } from '#tests/support/browser/chromium.mjs';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { closeOnboarding, logIn, logOut, newPerson } from '#tests/support/browser/main-path.ts';
import { composer } from '#tests/support/chat/chat-page.ts';
import { coinAt } from '#tests/support/market/coin-row.ts';
import { test as base } from '../fixtures.ts';
import { PHONE } from '../sizes.ts';

/** Chromium with its cache for Back and Forward, which Playwright turns off. */
const test = base.extend<{ caching: BrowserContext }>({
  caching: async ({ baseURL }, use) => {
    const executablePath = findChromium();
    if (!executablePath) throw new Error('No Chromium found');
    const browser = await chromium.launch({
      executablePath,
      args: chromiumArgs,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
    await use(await browser.newContext({ ...PHONE, baseURL, locale: 'en-US', timezoneId: 'UTC', serviceWorkers: 'block' }));
    await browser.close();
  },
});

interface Marks {
  /** Whether the page came from the browser's cache. */
  restored?: boolean;
  /** Texts on the screen in the first frames after the return. */
  seen: string[];
}
type Marked = typeof globalThis & { marks: Marks };

/** Records how the page comes back. A page that loads again loses the record. */
const markReturn = (page: Page) =>
  page.evaluate(() => {
    const marks: Marks = { seen: [] };
    (globalThis as Marked).marks = marks;
    addEventListener('pageshow', ({ persisted }) => {
      marks.restored = persisted;
      let frames = 0;
      const look = () => {
        if (getComputedStyle(document.body).opacity !== '0') marks.seen.push(document.body.innerText);
        if (frames++ < 60) requestAnimationFrame(look);
      };
      look();
    });
  });

const marksOf = (page: Page) => page.evaluate(() => (globalThis as Partial<Marked>).marks);

/** Leaves to another origin. */
const leave = (page: Page, url: string) => page.goto(`${url.replace('localhost', '127.0.0.1')}/robots.txt`);

async function goBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: 'commit' });
  const reasons = () =>
    page.evaluate(() => {
      const [entry] = performance.getEntriesByType('navigation') as (PerformanceEntry & { notRestoredReasons?: unknown })[];
      return JSON.stringify(entry?.notRestoredReasons ?? null);
    });
  await expect.poll(async () => (await marksOf(page))?.restored, { message: await reasons() }).toBe(true);
}

const rows = (page: Page) => page.getByRole('list', { name: 'Coins' }).getByRole('listitem');

/** Counts requests for live prices over the socket, and requests for the list. Playwright does not report them after a return. */
const requests = (page: Page) =>
  page.evaluate(() => ({
    watches: (globalThis as Partial<Counting>).watches ?? 0,
    lists: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/coin-market/get-data')).length,
  }));
type Counting = typeof globalThis & { watches: number };

function countWatches() {
  const counting = globalThis as Counting;
  counting.watches = 0;
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (String(data).includes('watch_coins')) counting.watches++;
    send.call(this, data);
  };
}

for (const remember of [true, false]) {
  test(`Back restores the page with its scroll position, socket and figures (remembered: ${remember})`, {
    tag: '@nightly',
  }, async ({ caching, app }) => {
    const page = await caching.newPage();
    const person = newPerson();
    await register(app, person);
    await closeOnboarding(page);
    await page.goto('/login');
    if (!remember) await page.getByLabel('Remember Me').uncheck();
    await logIn(page, person);
    await expect(page).toHaveURL(/\/home$/);
    await page.addInitScript(countWatches);
    await page.goto('/crypto');
    await expect(rows(page)).toHaveCount(100);
    await expect.poll(async () => (await requests(page)).watches).toBe(1);
    const link = await coinAt(page, 60);
    await link.scrollIntoViewIfNeeded();
    await link.focus();
    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(1_000);
    await markReturn(page);
    const before = await requests(page);
    await leave(page, app.url);
    await goBack(page);
    await expect(link).toBeInViewport();
    await expect(link).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    await expect.poll(async () => (await requests(page)).watches).toBeGreaterThan(before.watches);
    await expect.poll(async () => (await requests(page)).lists).toBeGreaterThan(before.lists);

    // Every channel is open again: a sign-out in another tab reaches this page.
    const other = await caching.newPage();
    await logOut(other);
    await expect(page).toHaveURL(/\/login$/);
  });
}

test('Back after a sign-out in another tab shows the login and nothing of the user', async ({ caching, app }) => {
  const page = await caching.newPage();
  const person = newPerson('Ada');
  await signedIn(page, app, person, '/settings/account');
  await expect(page.getByText(person.email)).toBeVisible();
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  // A first visit opens the user's database behind its first content.
  await expect.poll(databases).toHaveLength(2);
  const other = await caching.newPage();
  await page.waitForLoadState('networkidle');
  await markReturn(page);
  await leave(page, app.url);

  await logOut(other);

  // Chromium may drop the cached page, because the sign-out deletes its database. Then the page loads again.
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
  const { seen } = (await marksOf(page)) ?? { seen: [] };
  for (const text of seen) expect(text).not.toContain(person.email);
  await expect.poll(databases).toEqual(['tidemark']);
});

test('a draft that is typed while the page is left is on the device when the browser drops the page', async ({ caching, app }) => {
  const page = await caching.newPage();
  // Types before the page's own listeners run.
  await page.addInitScript(() => {
    const type = () => {
      const field = document.querySelector('textarea');
      if (!field) return;
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
      set?.call(field, 'Half a thought');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    addEventListener('pagehide', type, { capture: true });
    document.addEventListener('freeze', () => localStorage.setItem('isFrozen', 'true')); // the page's last event
  });
  await signedIn(page, app, newPerson(), '/chat');
  await composer(page).fill('Half');
  await deviceHas(page, 'drafts', /^new$/);
  await page.waitForLoadState('networkidle');
  await leave(page, app.url);
  const other = await caching.newPage();
  await other.goto('/robots.txt');
  await expect.poll(() => other.evaluate(() => localStorage.getItem('isFrozen'))).toBe('true');
  await page.close();
  await other.goto('/chat');
  await expect(composer(other)).toHaveValue('Half a thought');
});

type Upgrading = typeof globalThis & { end: () => void };

/** Keeps others that open the database waiting until `end` is called. Then the database is gone again. */
const upgrade = (name: string) =>
  new Promise<void>((resolve) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      const { result: db, transaction } = opening;
      const store = db.createObjectStore('kept', { keyPath: 'id' });
      let isOver = false;
      const wait = () => {
        if (isOver) return transaction?.abort();
        store.get(0).onsuccess = wait;
      };
      (globalThis as Upgrading).end = () => {
        isOver = true;
      };
      wait();
      resolve();
    };
  });

/** Leaves a page that has asked for a database while another page upgrades it, which then ends. */
async function leaveWhileOpening(caching: BrowserContext, url: string, name: string, ask: (page: Page) => Promise<unknown>): Promise<void> {
  const [first, left] = [await caching.newPage(), await caching.newPage()];
  await first.goto('/robots.txt');
  await first.evaluate(upgrade, name);
  await left.addInitScript(() => {
    document.addEventListener('freeze', () => localStorage.setItem('isFrozen', 'true')); // the page's last event
  });
  await ask(left);
  await leave(left, url);
  await expect.poll(() => first.evaluate(() => localStorage.getItem('isFrozen'))).toBe('true');
  await first.evaluate(() => (globalThis as Upgrading).end());
}

test("a page that was left while the device's database opened keeps no other page from it", async ({ caching, app }) => {
  const next = await caching.newPage();
  await leaveWhileOpening(caching, app.url, DEVICE_DB, (page) => page.goto('/login'));
  await closeOnboarding(next);
});

test('a page that was left while a database opened keeps no other page from deleting it', async ({ caching, app }) => {
  const name = userDbName('left');
  const next = await caching.newPage();
  await closeOnboarding(next);
  const openApp = async (page: Page) => {
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
  };
  await openApp(next);
  await leaveWhileOpening(caching, app.url, name, async (page) => {
    await openApp(page);
    await page.evaluate((name) => void indexedDB.open(name, 1), name);
  });
  const deleting = (name: string) =>
    new Promise<string>((resolve) => {
      indexedDB.deleteDatabase(name).onsuccess = () => resolve('deleted');
    });
  expect(await next.evaluate(deleting, name)).toBe('deleted');
});
