import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { conversationAnswer } from '#contract/chat/chat.ts';
import { ask, newPerson, signUp } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { takenOver } from '#tests/support/browser/taken-over.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';
import { SIZES } from '../sizes.ts';

// Signs up, reads the market, asks, loses the connection and the browser, reads everything, asks offline, comes back
// and gets exactly one answer.
const FIRST = 'What is the price of Bitcoin?';
const SECOND = 'And the market cap of Ethereum?';

let profile: string;

for (const { size, use, again } of SIZES) {
  test.describe(`on a ${size}`, () => {
    test.use(use);

    test.beforeEach(() => {
      profile = mkdtempSync(join(tmpdir(), 'tidemark-browser-'));
    });

    test.afterEach(() => rmSync(profile, { recursive: true, force: true }));

    test('the main job, online, offline from a cold start, and back', { tag: again }, async ({
      app,
      launchOptions,
      viewport,
      hasTouch,
    }) => {
      const options = { ...launchOptions, viewport, hasTouch: hasTouch ?? false, reducedMotion: 'no-preference' } as const;
      const open = () => chromium.launchPersistentContext(profile, options);

      let browser = await open();
      let page = await firstPage(browser);
      await page.goto(app.url);
      await expect(page).toHaveURL(/\/onboarding\/one$/);
      await page.getByRole('link', { name: 'Next' }).click();
      await expect(page.getByRole('heading', { name: 'Stay Updated with Real-Time Market Data' })).toBeVisible();
      await page.getByRole('link', { name: 'Next' }).click();
      await expect(page).toHaveURL(/\/onboarding\/three$/);
      await signUp(page, app, newPerson());
      await expect(page.getByText('Ada King')).toBeVisible();

      // The market, one coin, one question.
      await page.getByRole('link', { name: 'Crypto', exact: true }).click();
      await expect(coinRows(page)).toHaveCount(100);
      // A list shows before it is stored.
      await listStored(page);
      await coinRows(page).filter({ hasText: 'Bitcoin' }).first().click();
      await expect(page).toHaveURL(/\/crypto\/details\/1$/);
      await expect(page.getByText('Fully diluted', { exact: false })).toBeVisible();
      await ask(page, app, FIRST);
      const archive = new URL(page.url()).pathname;
      await expect(page.getByRole('main')).toContainText(/\$\d/);
      await expect(page.getByRole('main')).toContainText('Data:');
      await page.goto(`${app.url}/archive`);
      await expect(page.locator(`a[href="${archive}"]`).first()).toBeVisible();
      // The server's list has the title, which the device may have missed.
      await expect(page.getByText(/^Updated /).first()).toBeVisible();
      const title = await firstLine(page, archive);
      await workerReady(page);

      // The server stops, the network is gone, and the browser starts anew.
      await app.stop();
      await browser.close();
      browser = await open();
      await browser.setOffline(true);
      page = await firstPage(browser);

      await page.goto(`${app.url}/home`);
      await expect(shown(page, 'Ada King')).toBeVisible();
      await expect(page.locator(`a[href="${archive}"]`).first()).toBeVisible();
      await page.goto(`${app.url}/crypto`);
      await expect(coinRows(page)).toHaveCount(100);
      await expect(savedStamp(page)).toBeVisible();
      await page.goto(`${app.url}/crypto/details/1`);
      await expect(shown(page, 'Fully diluted')).toBeVisible();
      await expect(savedStamp(page)).toBeVisible();
      await page.goto(`${app.url}/crypto/details/1027`); // never opened: the list's data
      await expect(page.getByRole('heading', { name: 'Ethereum' }).first()).toBeVisible();

      await page.goto(`${app.url}/archive`);
      // While the app takes over, its link is hidden and has no lines.
      await expect.poll(() => firstLine(page, archive)).toBe(title);
      await takenOver(page);
      await page.getByPlaceholder('Search chat...').first().fill('price of bitcoin'); // part of the question, not of the title
      await expect(page.locator(`a[href="${archive}"]`).first()).toBeVisible();
      await page.getByPlaceholder('Search chat...').first().fill('nothing has this in it');
      await expect(page.locator(`a[href="${archive}"]`)).toHaveCount(0);

      await page.goto(app.url + archive);
      await expect(shown(page, FIRST)).toBeVisible();
      await takenOver(page);
      await expect(page.getByRole('main')).toContainText('Data:');
      await page.getByRole('textbox').last().fill(SECOND);
      await page.keyboard.press('Enter');
      await expect(conversation(page).getByText(SECOND)).toBeVisible();
      await expect(page.getByText('Waiting for connection').first()).toBeVisible();
      await page.reload();
      await expect(page.getByText('Waiting for connection').first()).toBeVisible();

      // The server is back.
      await app.start();
      const answered = page.waitForResponse(
        (response) => new URL(response.url()).pathname.endsWith(`${archive.split('/').at(-1)}/chats`) && response.ok(),
      );
      await browser.setOffline(false);
      const token = (await (await answered).request().allHeaders()).authorization ?? '';
      await expect(page.getByText('Waiting for connection')).toHaveCount(0, { timeout: 30_000 });
      await expect(conversation(page).getByText(SECOND)).toHaveCount(1);
      const stored = async () => {
        const response = await fetch(`${app.url}/api/archive/${archive.split('/').at(-1)}/chats`, { headers: { Authorization: token } });
        return conversationAnswer.parse(await response.json()).data;
      };
      await expect
        .poll(async () => (await stored()).map(({ user_message, chat_status }) => [user_message, chat_status]))
        .toEqual([
          [FIRST, 'ai-responce'],
          [SECOND, 'ai-responce'],
        ]);
      await expect(page.getByRole('main')).toContainText(/Ethereum[\s\S]*market cap/i);
      await browser.close();
    });
  });
}

/** A stored screen and the hidden app behind it have the same texts until the app takes over. */
const shown = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true });
const savedStamp = (page: Page) => shown(page, /^Offline · saved /).first();
const firstPage = async (browser: BrowserContext): Promise<Page> => browser.pages()[0] ?? browser.newPage();
const coinRows = (page: Page) => page.locator('a[href^="/crypto/details/"]');
/** Returns the first line of a row as displayed: its title. */
const firstLine = async (page: Page, href: string) => {
  const row = page.locator(`a[href="${href}"]`).first();
  return (await row.evaluate((link) => (link as HTMLElement).innerText)).split('\n')[0];
};
