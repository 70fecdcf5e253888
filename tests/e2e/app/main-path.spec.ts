import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { conversationAnswer } from '#contract/chat/chat.ts';
import { ask, signUp } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

/**
 * The product in one story: sign up, see the market, ask, lose the connection and the browser, read it all,
 * ask again, come back, and be answered exactly once.
 */
const person = { firstName: 'Ada', lastName: 'King', email: 'ada.main-path@example.com', password: 'Abcde1' };
const FIRST = 'What is the price of Bitcoin?';
const SECOND = 'And the market cap of Ethereum?';

let profile: string;

test.beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'tidemark-browser-'));
});

test.afterEach(() => rmSync(profile, { recursive: true, force: true }));

test('the main job, online, offline from a cold start, and back', { tag: '@every-size' }, async ({
  app,
  launchOptions,
  viewport,
  hasTouch,
}) => {
  test.slow();
  const open = () => chromium.launchPersistentContext(profile, { ...launchOptions, viewport, hasTouch: hasTouch ?? false });
  const email = `${test.info().project.name}.${person.email}`;

  let browser = await open();
  let page = await firstPage(browser);
  await page.goto(app.url);
  await expect(page).toHaveURL(/\/onboarding\/one$/);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'Stay Updated with Real-Time Market Data' })).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(/\/onboarding\/three$/);
  await signUp(page, app, { ...person, email });
  await expect(page.getByText('Ada King')).toBeVisible();

  // The market, one coin, one question.
  await page.getByRole('link', { name: 'Crypto', exact: true }).click();
  await expect(coinRows(page)).toHaveCount(100);
  await coinRows(page).filter({ hasText: 'Bitcoin' }).first().click();
  await expect(page).toHaveURL(/\/crypto\/details\/1$/);
  await expect(page.getByText('Fully diluted', { exact: false })).toBeVisible();
  await ask(page, app, FIRST);
  const archive = new URL(page.url()).pathname;
  await expect(page.getByRole('main')).toContainText(/\$\d/);
  await expect(page.getByRole('main')).toContainText('Data:');
  await page.goto(`${app.url}/archive`);
  await expect(page.locator(`a[href="${archive}"]`).first()).toBeVisible();
  const title = await firstLine(page, archive);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });

  // No server, no network, a browser that was closed.
  await app.stop();
  await browser.close();
  browser = await open();
  await browser.setOffline(true);
  page = await firstPage(browser);

  await page.goto(`${app.url}/home`);
  await expect(page.getByText('Ada King')).toBeVisible();
  await expect(page.locator(`a[href="${archive}"]`).first()).toBeVisible();
  await page.goto(`${app.url}/crypto`);
  await expect(coinRows(page)).toHaveCount(100);
  await expect(savedStamp(page)).toBeVisible();
  await page.goto(`${app.url}/crypto/details/1`);
  await expect(page.getByText('Fully diluted', { exact: false })).toBeVisible();
  await expect(savedStamp(page)).toBeVisible();
  await page.goto(`${app.url}/crypto/details/1027`); // never opened: what the list knows of it
  await expect(page.getByRole('heading', { name: 'Ethereum' }).first()).toBeVisible();

  await page.goto(`${app.url}/archive`);
  expect(await firstLine(page, archive)).toBe(title);
  await page.getByPlaceholder('Search chat...').first().fill('price of bitcoin'); // stands in the question, not in the title
  await expect(page.locator(`a[href="${archive}"]`).first()).toBeVisible();
  await page.getByPlaceholder('Search chat...').first().fill('nothing has this in it');
  await expect(page.locator(`a[href="${archive}"]`)).toHaveCount(0);

  await page.goto(app.url + archive);
  await expect(page.getByText(FIRST)).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Data:');
  await page.getByRole('textbox').last().fill(SECOND);
  await page.keyboard.press('Enter');
  await expect(page.getByText(SECOND)).toBeVisible();
  await expect(page.getByText('Waiting for connection').first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('Waiting for connection').first()).toBeVisible();

  // Back.
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).pathname.endsWith(`${archive.split('/').at(-1)}/chats`) && response.ok(),
  );
  await app.start();
  await browser.setOffline(false);
  const token = (await (await answered).request().allHeaders()).authorization ?? '';
  await expect(page.getByText('Waiting for connection')).toHaveCount(0, { timeout: 45_000 });
  await expect(page.getByText(SECOND)).toHaveCount(1);
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

const savedStamp = (page: Page) =>
  page
    .getByText(/^Offline · saved /)
    .filter({ visible: true })
    .first();
const firstPage = async (browser: BrowserContext): Promise<Page> => browser.pages()[0] ?? browser.newPage();
const coinRows = (page: Page) => page.locator('a[href^="/crypto/details/"]');
/** Of a row as it is laid out: archive rows begin with their title. */
const firstLine = async (page: Page, href: string) => {
  const row = page.locator(`a[href="${href}"]`).first();
  return (await row.evaluate((link) => (link as HTMLElement).innerText)).split('\n')[0];
};
