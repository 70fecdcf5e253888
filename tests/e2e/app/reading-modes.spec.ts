import { expect, type Locator, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { followsKeys } from '#tests/support/browser/follows-keys.ts';
import { drawn, layoutProblems } from '#tests/support/browser/layout-problems.ts';
import { ask, closeOnboarding, newPerson } from '#tests/support/browser/main-path.ts';
import { MODES, type Mode, readIn } from '#tests/support/browser/reading-modes.ts';
import { askHere, composer, conversation } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';

// No test here needs the service worker, which would fetch 60 files for each.
test.use({ serviceWorkers: 'block' });

const WIDTHS = [320, 390, 768, 1440, 1920];
const FOR_VISITORS = ['/onboarding/one', '/login', '/sign-up'];
const FOR_USERS = [
  '/home',
  '/crypto',
  '/crypto/watchlist',
  '/crypto/crypto-search',
  '/crypto/details/1',
  '/archive',
  '/chat',
  '/pricing',
  '/settings/account',
  '/settings/manage-subscription',
  '/settings/notification',
  '/settings/help-center',
  '/trading-bot',
  '/trading-bot/configure',
  '/trading-bot/backtests',
];

async function open(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('[data-skeleton], [aria-busy="true"]')).toHaveCount(0);
}

/** Measures the page at all widths, and lets axe look at it on a phone. */
async function look(page: Page, path: string, mode: Mode) {
  await readIn(page, mode, 'dark');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await drawn(page);
    // Soft, so that one run names every screen that needs work.
    expect.soft(await layoutProblems(page), `${path}, ${mode}, ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  if (mode !== 'forced') expect.soft(await accessibilityProblems(page), `${path}, ${mode}`).toEqual([]);
}

for (const mode of MODES) {
  test(`screens fit all widths and have no accessibility problem when drawn ${mode}`, { tag: '@nightly' }, async ({ page, app }) => {
    await open(page, '/onboarding/one');
    await closeOnboarding(page);
    for (const path of FOR_VISITORS) {
      await open(page, path);
      await look(page, path, mode);
    }
    await readIn(page, 'plain', 'dark');
    await signedIn(page, app, newPerson());
    for (const path of FOR_USERS) {
      await open(page, path);
      await look(page, path, mode);
    }
  });
}

for (const width of [390, 1280])
  test(`a printed chat is whole and has no bars, from a window of ${width} px`, async ({ page, app }) => {
    await page.setViewportSize({ width, height: 600 });
    await signedIn(page, app, newPerson());
    await ask(page, app, 'What is the price of Bitcoin?');
    await askHere(page, 'What is staking?');
    await expect(page.getByRole('button', { name: 'Copy answer' })).toHaveCount(2);
    await page.emulateMedia({ media: 'print' });
    const cut = () => conversation(page).evaluate((part) => part.scrollHeight - part.clientHeight);
    await expect.poll(cut).toBe(0);
    await expect(composer(page)).toBeHidden();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    const pages = (await page.pdf({ width: '390px', height: '600px' })).toString('latin1').match(/\/Type \/Page\b/g);
    expect(pages?.length).toBeGreaterThan(1);
  });

test('text of twice the size leaves titles, names and the name of the app whole on a small phone', async ({ page, app }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await readIn(page, 'large', 'dark');
  await signedIn(page, app, newPerson('Alexandra'));
  const cut = (part: Locator) => part.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(() => cut(page.getByRole('heading', { name: 'Tidemark' }))).toBe(0);
  await ask(page, app, 'What is staking?');
  await open(page, '/archive');
  await expect.poll(() => cut(page.getByText('Staking', { exact: true }))).toBe(0);
  await open(page, '/settings/account');
  const name = page.getByRole('heading', { name: 'Alexandra King' });
  // Each of its two words is on one line.
  await expect
    .poll(() => name.evaluate((element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight)))
    .toBeLessThan(2.5);
});

test("with the device's own colors, the composer has one frame", async ({ page, app }) => {
  await readIn(page, 'forced', 'dark');
  await signedIn(page, app, newPerson(), '/chat');
  const colors = () =>
    composer(page).evaluate((field) => [getComputedStyle(field).borderTopColor, getComputedStyle(document.body).backgroundColor]);
  await expect.poll(async () => new Set(await colors()).size).toBe(1);
});

/** Waits until two controls look different: their state may come behind them. */
const differ = (one: () => Promise<string>, other: () => Promise<string>) =>
  expect.poll(async () => (await one()) !== (await other()), { message: 'the two look different' }).toBe(true);

test("with the device's own colors, each chosen, current and pressed control differs from its neighbors", async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  const look = (name: string, at: number) =>
    page
      .locator(name)
      .nth(at)
      .evaluate((element) => {
        const { backgroundColor, color, outlineStyle } = getComputedStyle(element);
        return `${backgroundColor} ${color} ${outlineStyle}`;
      });
  await page.emulateMedia({ forcedColors: 'active' });

  await open(page, '/settings/account');
  const choices = 'fieldset label:has(input[type=radio])';
  await differ(
    () => look(choices, 0),
    () => look(choices, 1),
  );
  const tabs = 'nav[aria-label=Main] a';
  await differ(
    () => look(tabs, 3),
    () => look(tabs, 0),
  );
  const switches = page.getByRole('switch');
  const fill = (at: number) => switches.nth(at).evaluate((element) => getComputedStyle(element).backgroundColor);
  await differ(
    () => fill(0),
    () => fill(1),
  );

  await open(page, '/crypto');
  const sides = 'fieldset label:has(input[type=radio])';
  await differ(
    () => look(sides, 0),
    () => look(sides, 1),
  );

  await followsKeys(page);
  await page.keyboard.press('/');
  // Coins come last, and become the first options.
  await expect(page.getByRole('group', { name: 'Coins' }).getByRole('option').nth(1)).toBeVisible();
  await differ(
    () => look('[role=option][aria-selected=true]', 0),
    () => look('[role=option][aria-selected=false]', 0),
  );
});
