import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { startBrowser } from '#tests/support/browser/killable-browser.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { takenOver } from '#tests/support/browser/taken-over.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Watchlist' }).getByRole('link');
const names = (page: Page) => rows(page).locator('bdi:first-child');
const add = (page: Page, name: string) => page.getByRole('button', { name: `Add ${name} to watchlist` });
const remove = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name} from watchlist` });
const mark = (page: Page) => page.getByRole('link', { name: /in your watchlist/ });
const isHeart = (url: string, method: string) => method === 'POST' && /\/api\/watchlist$/.test(url);

/** Drags a coin by its handle. The server keeps the order, which the tab of the market shows too. */
async function dragDogecoinUp(page: Page) {
  await page.getByRole('button', { name: 'Watchlist actions' }).click();
  await page.getByRole('menuitem', { name: 'Change order' }).click();
  const grip = (name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}`) });
  const moved = page.waitForResponse((response) => /\/watchlist\/[^/]+\/order$/.test(response.url()));
  await grip('Dogecoin').dragTo(grip('Ethereum'));
  await expect(names(page)).toHaveText(['Dogecoin', 'Ethereum', 'Bitcoin']);
  expect((await moved).status()).toBe(200);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto('/crypto/watchlist');
  await expect(names(page)).toHaveText(['Dogecoin', 'Ethereum', 'Bitcoin']);
}

test('a heart set offline shows in every tab, survives a killed browser, and is sent once', async ({ app, browser }) => {
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-profile-'));
  const person = newPerson();
  let mine = await startBrowser(profile);
  try {
    const first = await mine.context.newPage();
    await signedIn(first, app, person);
    await first.goto(`${app.url}/settings/watchlist`);
    await expect(first.getByText('No watchlist data found!')).toBeVisible();
    await first.goto(`${app.url}/crypto/details/1`);
    await expect(add(first, 'Bitcoin')).toBeVisible();
    await workerReady(first);
    // A list shows before it is stored.
    await listStored(first);
    await first.close();
    await app.stop();

    // Without a server: the coin's page, and in other tabs the list and the watchlist.
    const page = await mine.context.newPage();
    await page.goto(`${app.url}/crypto/details/1`);
    await expect(add(page, 'Bitcoin')).toHaveAttribute('aria-pressed', 'false');
    const list = await mine.context.newPage();
    await list.goto(`${app.url}/crypto`);
    await expect(list.getByRole('list', { name: 'Coins' })).toBeVisible();
    const watchlist = await mine.context.newPage();
    await watchlist.goto(`${app.url}/settings/watchlist`);
    await takenOver(watchlist);
    await expect(watchlist.getByText('No watchlist data found!')).toBeVisible();

    await add(page, 'Bitcoin').click();
    await expect(remove(page, 'Bitcoin')).toHaveAttribute('aria-pressed', 'true');
    await expect(remove(page, 'Bitcoin')).toHaveAttribute('aria-description', 'Will be sent once you are online.');
    await expect(mark(list)).toContainText(['Bitcoin']);
    await expect(names(watchlist)).toHaveText(['Bitcoin']);
    expect(await accessibilityProblems(watchlist)).toEqual([]);
    await mine.kill();

    await app.start();
    mine = await startBrowser(profile);
    // A retry after a lost response has the same key and counts as the same change.
    const sent = new Set<string | undefined>();
    mine.context.on('request', (request) => {
      if (isHeart(request.url(), request.method())) sent.add(request.headers()['idempotency-key']);
    });
    const [again, second] = [await mine.context.newPage(), await mine.context.newPage()];
    const answered = mine.context.waitForEvent('response', (response) => isHeart(response.url(), response.request().method()));
    await Promise.all([again.goto(`${app.url}/crypto/details/1`), second.goto(`${app.url}/settings/watchlist`)]);
    expect((await answered).status()).toBe(200);
    await expect(remove(again, 'Bitcoin')).not.toHaveAttribute('aria-description', /.*/);
    await expect(names(second)).toHaveText(['Bitcoin']);

    // Another device gets it from the server.
    const other = await browser.newContext();
    const elsewhere = await other.newPage();
    await openAs(elsewhere, app, person, '/settings/watchlist');
    await expect(names(elsewhere)).toHaveText(['Bitcoin']);
    await other.close();
    expect(sent.size).toBe(1);
  } finally {
    await mine.kill();
    rmSync(profile, { recursive: true, force: true });
  }
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('a user searches, filters and edits the watchlist, whose prices update while it is visible', async ({ page, app }) => {
    await signedIn(page, app, newPerson());
    for (const [id, name] of [
      [1, 'Bitcoin'],
      [74, 'Dogecoin'],
      [1027, 'Ethereum'],
    ] as const) {
      const isDetails = (asked: { url(): string }) => asked.url().includes(`/get-single-data/${id}/`);
      await Promise.all([page.waitForResponse(isDetails), page.goto(`/crypto/details/${id}`)]);
      // The app reads the details again after the server stored the heart.
      await Promise.all([page.waitForRequest(isDetails), add(page, name).click()]);
      await expect(remove(page, name)).toBeVisible();
    }
    await page.goto('/crypto');
    await expect(mark(page)).toHaveCount(3);

    // Each socket has its own list: the one of /crypto may still send while its page is left.
    let frames: string[] = [];
    page.on('websocket', (socket) => {
      const own: string[] = [];
      frames = own;
      socket.on('framesent', ({ payload }) => {
        const [, ids] = /watch_coins",(\[.*?\])/.exec(String(payload)) ?? [];
        if (ids) own.push(ids);
      });
    });
    await page.goto('/settings/watchlist');
    await expect(names(page)).toHaveText(['Ethereum', 'Dogecoin', 'Bitcoin']);
    expect(await accessibilityProblems(page)).toEqual([]);

    // The socket updates the coins on the screen, and only those.
    const bitcoin = rows(page).last();
    const price = async () => (await bitcoin.innerText()).match(/\$[\d,.]+\d/g)?.at(-1);
    const before = await price();
    await expect.poll(price, { timeout: 30_000 }).not.toBe(before);
    await expect.poll(() => frames).toEqual(['[1,74,1027]']);
    const look = (state: DocumentVisibilityState) =>
      page.evaluate((now) => {
        Object.defineProperty(document, 'visibilityState', { get: () => now, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await look('hidden');
    await expect.poll(() => frames).toEqual(['[1,74,1027]', '[]']);
    await look('visible');
    await expect.poll(() => frames).toEqual(['[1,74,1027]', '[]', '[1,74,1027]']);

    await dragDogecoinUp(page);
    await page.goto('/settings/watchlist');
    await takenOver(page);

    await page.locator('fieldset label', { hasText: 'BTC' }).click();
    await expect(bitcoin).toContainText('₿1');
    await page.getByRole('button', { name: /Coins shown/ }).click();
    await page.getByRole('option', { name: 'Top 5', exact: true }).click();
    await page.getByRole('button', { name: /Period of the change/ }).click();
    await page.getByRole('option', { name: '1mo' }).click();
    await page.getByRole('searchbox').fill('ÉTH');
    await expect(names(page)).toHaveText(['Ethereum']);
    await expect(page).toHaveURL(/currency=BTC.*top=5.*period=30d|q=.*currency=BTC/);
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue('ÉTH');
    await expect(names(page)).toHaveText(['Ethereum']);
    await page.getByRole('searchbox').fill('zzz');
    await expect(page.getByText('No watchlist data found!')).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear search' }).last().click();

    // Removing by keyboard moves the focus to the next row.
    await remove(page, 'Dogecoin').focus();
    await page.keyboard.press('Enter');
    await expect(names(page)).toHaveText(['Ethereum', 'Bitcoin']);
    await expect(page.getByRole('button', { name: 'Undo removing Dogecoin' })).toBeFocused();

    const reloaded = page.waitForRequest((request) => /\/api\/watchlist\/[^/]+$/.test(request.url()));
    await rows(page).first().click();
    await reloaded;
    await expect(page.getByRole('heading', { level: 1, name: 'Ethereum' })).toBeVisible();
  });
});
