import { type BrowserContext, expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { deviceHas } from '#tests/support/browser/device-db.ts';
import { dropWorkerTimers, holdTimers } from '#tests/support/browser/held-timers.ts';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shifts.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

declare global {
  interface Window {
    startApp?: () => void;
    /** When the stored screen went, ms. */
    tookOverAt?: number;
    /** Names of what `Intl` made before. */
    formats: string[];
    commits: { isDrawn: boolean; rows: number; skeletons: number }[];
  }
}

const screenOf = (page: Page) => page.locator('#first-screen');
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Coins' }).getByRole('link');

/** Waits until the device has a stored screen of this address. */
const stored = (page: Page, address: string) => deviceHas(page, 'screens', new RegExp(`^${address}$`));

/** How long a stored screen waits for the app, ms (src/client/first-screen-script/main.ts): longer here, where the test starts it. */
const TAKEOVER_LIMIT = 10_000;
/** How long the app waits for its own content, ms (take-over.ts and read-ahead.ts in src/client/platform). */
const CONTENT_LIMIT = 4_000;
/** How long the app with its content waits for pictures and font (take-over.ts), and a page for a frame (after-content.ts), ms. */
const DETAILS_LIMIT = 300;
const FRAME_LIMIT = 1_000;
/** How long the worker looks for a stored screen, ms (sw/first-screens.ts). */
const READ_LIMIT = 500;

/** Opens a tab whose app starts when the test calls `startApp`, so that the stored screen stays. */
async function heldTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await watchShifts(page);
  await holdTimers(page, TAKEOVER_LIMIT, CONTENT_LIMIT);
  await dropWorkerTimers(context, READ_LIMIT);
  await page.addInitScript(() => {
    const { append } = Element.prototype;
    HTMLHeadElement.prototype.append = function (this: HTMLHeadElement, ...nodes) {
      const start = () => append.apply(this, nodes);
      if (nodes.some((node) => node instanceof HTMLScriptElement && node.type === 'module')) window.startApp = start;
      else start();
    };
  });
  return page;
}

/** Notes when the stored screen goes, and the formats that are made before. Runs in the page before its own scripts. */
function watchTakeOver() {
  window.formats = [];
  const noted = (name: string, target: object) => {
    const note = () => window.tookOverAt === undefined && window.formats.push(name);
    return new Proxy(target, {
      construct(make, values) {
        note();
        return Reflect.construct(make as new () => object, values);
      },
      apply(call, value, values) {
        note();
        return Reflect.apply(call as () => unknown, value, values);
      },
    });
  };
  for (const [owner, names] of [
    [Intl, /Format|Names|Rules|Collator/],
    [Date.prototype, /^toLocale/],
    [Number.prototype, /^toLocale/],
  ] as const)
    for (const name of Object.getOwnPropertyNames(owner).filter((each) => names.test(each)))
      Reflect.set(owner, name, noted(name, Reflect.get(owner, name)));
  const { remove } = Element.prototype;
  Element.prototype.remove = function () {
    if (this.id === 'first-screen') window.tookOverAt = performance.now();
    remove.call(this);
  };
}

/** Keeps the page from its font, for which the take-over waits, until the returned function is called. */
async function holdFont(page: Page): Promise<() => Promise<void>> {
  await holdTimers(page, DETAILS_LIMIT, FRAME_LIMIT);
  await page.addInitScript(() => {
    const { load } = FontFaceSet.prototype;
    const held = new Promise<void>((resolve) => Object.assign(window, { letFontLoad: resolve }));
    FontFaceSet.prototype.load = async function (...font) {
      await held;
      return load.apply(this, font);
    };
  });
  return () => page.evaluate(() => (window as unknown as { letFontLoad(): void }).letFontLoad());
}

/** Waits until the page has been idle `times` times, with a frame before each. */
const idleTimes = (page: Page, times: number) =>
  page.evaluate(async (times) => {
    for (let count = 0; count < times; count++) await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)));
  }, times);

/** Returns the scripts that a page had requested when the app took its stored screen over. */
const scriptsOfTakeOver = (page: Page) =>
  page.evaluate(() => {
    const entries = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/') && name.endsWith('.js'));
    return entries.filter(({ startTime }) => startTime < (window.tookOverAt ?? 0)).map(({ name }) => name);
  });

/** Notes what each of React's commits shows. Runs in the page before its own scripts. */
function watchCommits() {
  window.commits = [];
  const count = (selector: string) => document.querySelectorAll(`#root ${selector}`).length;
  const note = () => {
    if (count('*') === 0) return;
    const isDrawn = document.getElementById('first-screen') !== null;
    window.commits.push({ isDrawn, rows: count('ul[aria-label="Coins"] a'), skeletons: count('[data-skeleton]') });
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true });
}

/** Starts the app of a held tab. Returns the scripts that load beside the main one. */
async function startApp(page: Page): Promise<string[]> {
  await page.waitForFunction(() => window.startApp);
  return page.evaluate(() => {
    window.startApp?.();
    return [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="script"]')].map(({ href }) => href);
  });
}

test('offline, the market is drawn before the app starts, and the app takes over without a shift', async ({
  page,
  context,
  app,
  reader,
}) => {
  const problems: string[] = [];
  context.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await openAs(page, app, reader, '/crypto');
  await expect(rowsOf(page)).toHaveCount(100);
  await workerReady(page);
  await stored(page, '/crypto');
  const first = await rowsOf(page).first().locator('bdi').first().innerText();
  await page.close();
  await context.setOffline(true);

  const offline = await heldTab(context);
  await offline.goto(`${app.url}/crypto`);
  await expect(screenOf(offline)).toBeVisible();
  await expect(rowsOf(offline).first()).toContainText(first);
  expect(await rowsOf(offline).count()).toBeLessThan(40);
  await expect(offline.getByText(/^Saved (just now|\d+ min ago)$/)).toBeVisible();
  const icon = rowsOf(offline).first().locator('> :first-child');
  expect((await icon.boundingBox())?.width).toBe(36);
  const html = await screenOf(offline).innerHTML();
  expect(html).not.toMatch(/<script|onclick| id=|style="(?!--size)/);

  const scripts = await startApp(offline);
  for (const name of ['lists', 'db']) expect(scripts.filter((url) => url.includes(`/assets/${name}-`))).toHaveLength(1);
  await expect(screenOf(offline)).toHaveCount(0);
  await expect(rowsOf(offline)).toHaveCount(100);
  await expect(offline.getByText(/^Offline · saved/)).toBeVisible();
  await offline.evaluate(() => document.fonts.ready.then(() => {}));
  expect(await shiftsOf(offline)).toEqual([]);
  expect(problems.filter((text) => /Content Security Policy/.test(text))).toEqual([]);
});

test('offline, the last chat is drawn before the app starts, and the app takes over without a shift', async ({ page, context, app }) => {
  await signedIn(page, app, newPerson());
  await ask(page, app, 'What is the price of Bitcoin?');
  await expect(page.getByRole('button', { name: 'Copy answer' })).toBeVisible();
  const { pathname } = new URL(page.url());
  await page.goto(pathname);
  await workerReady(page);
  await stored(page, pathname);
  await page.close();
  await context.setOffline(true);

  const offline = await heldTab(context);
  await offline.addInitScript(watchTakeOver);
  await offline.goto(`${app.url}${pathname}`);
  await expect(screenOf(offline)).toContainText('What is the price of Bitcoin?');
  await startApp(offline);
  await expect(screenOf(offline)).toHaveCount(0);
  expect(await offline.evaluate(() => window.formats)).toEqual([]);
  await expect(offline.getByRole('button', { name: /^Actions for / })).toBeVisible();
  await offline.evaluate(() => document.fonts.ready.then(() => {}));
  expect(await shiftsOf(offline)).toEqual([]);
});

for (const address of ['/crypto', '/home', '/archive', '/crypto/watchlist', '/settings/account']) {
  const tag = ['/crypto', '/home'].includes(address) ? [] : '@nightly';
  test(`the take-over of ${address} needs no script that its stored screen does not name, and no format of Intl`, { tag }, async ({
    page,
    context,
    app,
    reader,
  }) => {
    await openAs(page, app, reader, address);
    await workerReady(page);
    await stored(page, address);
    await page.close();
    await context.setOffline(true);

    const next = await heldTab(context);
    await next.addInitScript(watchTakeOver);
    const letFontLoad = await holdFont(next);
    await next.goto(`${app.url}${address}`);
    const named = await startApp(next);
    await expect(next.locator('#root main')).toBeAttached();
    await idleTimes(next, 10);
    await letFontLoad();
    await expect(screenOf(next)).toHaveCount(0);
    expect(named.length).toBeGreaterThan(3);
    expect((await scriptsOfTakeOver(next)).filter((script) => !named.includes(script))).toEqual([]);
    expect(await next.evaluate(() => window.formats)).toEqual([]);
  });
}

for (const isOffline of [true, false]) {
  test(`${isOffline ? 'offline' : 'online'}, the first commit of the app has every drawn row, and the rest follow the take-over`, {
    tag: '@nightly',
  }, async ({ page, context, app, reader }) => {
    await openAs(page, app, reader, '/crypto');
    await expect(rowsOf(page)).toHaveCount(100);
    await workerReady(page);
    await stored(page, '/crypto');
    await page.close();
    await context.setOffline(isOffline);

    const next = await heldTab(context);
    await next.addInitScript(watchCommits);
    await next.goto(`${app.url}/crypto`);
    const drawn = await rowsOf(next).count();
    await startApp(next);
    await expect(screenOf(next)).toHaveCount(0);
    await expect(rowsOf(next)).toHaveCount(100);
    const commits = await next.evaluate(() => window.commits);
    expect(drawn).toBeGreaterThan(5);
    expect(commits.filter(({ rows, skeletons }) => rows < drawn || skeletons > 0)).toEqual([]);
    const [first, last] = [commits[0]?.rows ?? 0, commits.findLast(({ isDrawn }) => isDrawn)?.rows];
    expect(first).toBeLessThan(40);
    expect(last).toBe(first);
    expect(await shiftsOf(next)).toEqual([]);
  });
}

test('before the app starts, a tap on a link works, and a tap on a button and the focus reach the app', async ({
  page,
  context,
  app,
  reader,
}) => {
  // So high that the button is part of the stored screen.
  await page.setViewportSize({ width: 390, height: 1_200 });
  await openAs(page, app, reader, '/settings/account');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await workerReady(page);
  await stored(page, '/settings/account');
  await page.close();

  const next = await heldTab(context);
  await next.goto(`${app.url}/settings/account`);
  await screenOf(next).getByRole('link', { name: 'Home' }).click();
  await expect(next).toHaveURL(/\/home$/);
  await next.goto(`${app.url}/settings/account`);
  await screenOf(next).getByRole('link', { name: 'Storage and Data' }).focus();
  await screenOf(next).getByRole('button', { name: 'Logout' }).click();
  await startApp(next);
  await expect(screenOf(next)).toHaveCount(0);
  await expect(next.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeVisible();

  // A press that begins on the stored screen ends on it, although the app is ready meanwhile.
  await next.goto(`${app.url}/settings/account`);
  await screenOf(next).getByRole('button', { name: 'Logout' }).hover();
  await next.mouse.down();
  await startApp(next);
  await expect(next.locator('#root button', { hasText: 'Logout' })).toBeAttached();
  await expect(screenOf(next)).toHaveCount(1);
  await next.mouse.up();
  await expect(screenOf(next)).toHaveCount(0);
  await expect(next.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeVisible();
});

test('a tap on a control of the market before the app starts is answered once its code is here', async ({ page, context, app, reader }) => {
  await openAs(page, app, reader, '/crypto');
  await expect(rowsOf(page)).toHaveCount(100);
  await workerReady(page);
  await stored(page, '/crypto');
  await page.close();

  const next = await heldTab(context);
  await next.goto(`${app.url}/crypto`);
  await screenOf(next).getByRole('button', { name: 'Filter' }).click();
  await startApp(next);
  await expect(next.getByRole('dialog', { name: 'Filter' })).toBeVisible();

  // The last tap counts, also if the app has copied an earlier one.
  const letFontLoad = await holdFont(next);
  await next.goto(`${app.url}/crypto`);
  await screenOf(next).getByRole('button', { name: 'Filter' }).click();
  await startApp(next);
  await expect(next.locator('#root [data-tapped]')).toHaveCount(1);
  await screenOf(next).locator('label', { hasText: 'BTC' }).click();
  await letFontLoad();
  await expect(screenOf(next)).toHaveCount(0);
  await expect(rowsOf(next).first()).toContainText('₿');
  await expect(next.getByRole('dialog')).toHaveCount(0);
});

for (const [name, address, width] of [
  ['a coin', '/crypto/details/1', 390],
  ['the market beside a coin', '/crypto', 1280],
] as const)
  test(`${name} is drawn before the app starts, although the converter has an amount`, async ({ page, context, app, reader }) => {
    await page.setViewportSize({ width, height: 844 });
    await openAs(page, app, reader, address);
    await expect(page.getByLabel('Amount in BTC')).toHaveValue('1');
    await workerReady(page);
    await stored(page, address);
    await page.close();

    const next = await heldTab(context);
    await next.setViewportSize({ width, height: 844 });
    await next.goto(app.url + address);
    await expect(screenOf(next).getByRole('heading', { name: 'Bitcoin' }).first()).toBeVisible();
    await startApp(next);
    await expect(screenOf(next)).toHaveCount(0);
    await expect(next.getByLabel('Amount in BTC')).toHaveValue('1');
  });

test('the last conversation is drawn at its end, without the draft', { tag: '@nightly' }, async ({ page, context, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  for (const question of ['How is Bitcoin doing?', 'How is Ethereum doing?']) {
    await ask(page, app, question);
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  }
  await page.getByRole('textbox', { name: 'Your question' }).fill('half a thought');
  const { pathname } = new URL(page.url());
  await workerReady(page);
  await stored(page, pathname);
  await page.close();
  const next = await heldTab(context);
  await next.goto(app.url + pathname);
  const scroller = screenOf(next).getByRole('region', { name: 'Conversation' });
  await expect(scroller).toBeVisible();
  const fromEnd = () => scroller.evaluate((part) => part.scrollHeight - part.clientHeight - part.scrollTop);
  await expect.poll(fromEnd).toBeLessThan(24);
  expect(await next.content()).not.toContain('half a thought');
  await startApp(next);
  await expect(screenOf(next)).toHaveCount(0);
  await expect(next.getByRole('textbox', { name: 'Your question' })).toHaveValue('half a thought');
});

test('of two users on a device, the second never sees a screen of the first', async ({ page, context, app }) => {
  const [ada, grace] = [newPerson(), newPerson()];
  await signedIn(page, app, ada, '/settings/account');
  await expect(page.getByText(ada.email)).toBeVisible();
  await workerReady(page);
  await stored(page, '/settings/account');

  await context.setOffline(true);
  const other = await heldTab(context);
  await other.goto(`${app.url}/settings/account`);
  await expect(screenOf(other).getByText(ada.email)).toBeVisible();
  // The first tab signs out: the drawn screen of the other tab goes, although no app runs there.
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Log In' }).or(page.getByText('Log in')).first()).toBeVisible();
  await expect(screenOf(other)).toHaveCount(0);
  await other.goto(`${app.url}/settings/account`);
  await other.waitForFunction(() => document.getElementById('root'));
  await expect(screenOf(other)).toHaveCount(0);
  await other.close();
  await context.setOffline(false);

  await signedIn(page, app, grace, '/settings/account');
  const again = await heldTab(context);
  await again.goto(`${app.url}/settings/account`);
  await again.waitForFunction(() => document.getElementById('root'));
  expect(await again.content()).not.toContain(ada.email);
});
