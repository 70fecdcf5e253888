import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { test } from '../fixtures.ts';

const LONG = 'Where are support and resistance for BTC?';

const composer = (page: Page) => page.getByRole('textbox').last();
const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });

async function type(page: Page, question: string) {
  await composer(page).fill(question);
  await page.keyboard.press('Enter');
}

test.beforeEach(async ({ page, app }) => {
  const { project, title } = test.info();
  const email = `${title.toLowerCase().replace(/\W+/g, '-').slice(0, 24)}.${project.name}@example.com`;
  await signedIn(page, app, { firstName: 'Ada', lastName: 'King', email, password: 'Abcde1' });
});

test('a question begins a conversation and is answered in it', async ({ page }) => {
  await page.goto('/chat');
  await expect(page.getByRole('heading', { name: 'New Chat' })).toBeVisible();
  for (const tip of ['Concise', 'Unambiguous', 'Respectful']) await expect(page.getByText(tip, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Enter chat description!')).toBeVisible();

  await page.getByRole('button', { name: 'Compare Ethereum and Solana' }).click();
  await page.waitForURL('**/chat/archive/*');
  await expect(conversation(page).getByText('Compare Ethereum and Solana')).toBeVisible();
  await expect(conversation(page).getByRole('table')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(conversation(page)).toContainText('Data:');
  await expect(page.getByRole('heading', { name: 'New Chat' })).toHaveCount(0); // it has a title by now

  // A draft outlives a look elsewhere; Shift+Enter is part of it.
  await composer(page).fill('first line');
  await composer(page).press('Shift+Enter');
  await page.keyboard.type('second line');
  await page.getByRole('link', { name: 'Archive' }).last().click();
  await page.locator('a[href^="/chat/archive/"]').first().click();
  await expect(composer(page)).toHaveValue('first line\nsecond line');
});

test('the Free-plan notice gives way to a floating link', async ({ page }) => {
  await page.goto('/chat');
  await expect(page.getByRole('complementary')).toContainText(
    "Free plan: You don't have access to chart analysis & general questions. Upgrade to Premium plan for unlimited chart analysis.",
  );
  await page.getByRole('button', { name: 'Close notice' }).click();
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/pricing');
  await expect(page.getByRole('complementary')).toHaveCount(0);
});

test('an answer is not lost to one who leaves, and does not drag along one who reads', async ({ page }) => {
  await page.goto('/chat');
  await type(page, LONG);
  await page.waitForURL('**/chat/archive/*');
  const address = page.url();
  await expect(page.getByText('Waiting for the answer').or(page.getByRole('button', { name: 'Show all' }))).toBeVisible();
  await page.goto('/home');
  await page.goto(address);
  await expect(conversation(page)).toContainText('Data:');
  await expect(page.getByRole('button', { name: 'Show all' })).toHaveCount(0); // from before: nothing is typed out

  await type(page, LONG);
  await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
  await conversation(page).evaluate((scroller) => {
    scroller.scrollTop = 0;
  });
  const jump = page.getByRole('button', { name: 'Jump to latest' });
  await expect(jump).toBeVisible();
  const words = async () => (await conversation(page).innerText()).length;
  const before = await words();
  await expect.poll(words).toBeGreaterThan(before + 40); // it grows meanwhile
  expect(await conversation(page).evaluate((scroller) => scroller.scrollTop)).toBe(0);
  await jump.click();
  await expect(jump).toHaveCount(0);
  const toEnd = () => conversation(page).evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
  await expect.poll(toEnd).toBeLessThan(30);
});

test('a conversation begun offline waits and is sent once', async ({ page, context }) => {
  await page.goto('/chat');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  await type(page, 'What is staking?');
  await page.waitForURL('**/chat/archive/*');
  const path = new URL(page.url()).pathname;
  await expect(page.getByText('Waiting for connection')).toBeVisible();
  await page.reload(); // a cold start: all there is comes from the device
  await expect(page.getByText('Waiting for connection')).toBeVisible();
  await expect(page.getByText(/^Offline · saved /).first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto('/archive');
  await expect(page.locator(`a[href="${path}"]`)).toContainText('Not sent yet');

  let sent = 0;
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('"chat_message"')) sent += 1;
    });
  });
  await context.setOffline(false);
  await expect(page.getByText('Not sent yet')).toHaveCount(0, { timeout: 45_000 });
  await page.goto(path);
  await expect(conversation(page)).toContainText('Data:');
  await expect(conversation(page).getByText('What is staking?')).toHaveCount(1);
  expect(sent).toBe(1);
});

test('an address of no conversation says so', async ({ page }) => {
  for (const id of ['11111111-1111-4111-8111-111111111111', 'nonsense']) {
    await page.goto(`/chat/archive/${id}`);
    await expect(page.getByText("This chat doesn't exist or was deleted.")).toBeVisible();
  }
  expect(await accessibilityProblems(page)).toEqual([]);
});
