import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { accessibilityProblems } from '#tests/support/browser/axe.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { takenOver } from '#tests/support/browser/taken-over.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, composer, conversation, holdAnswers, storedMessages } from '#tests/support/chat/chat-page.ts';
import { test } from '../fixtures.ts';
import { WORKER_AT_NIGHT } from '../nightly.ts';

const LONG = 'Where are support and resistance for BTC?';

/** Holds the typing of answers, which follows the page's clock. The returned function types what comes in `ms`. */
async function holdTyping(page: Page): Promise<(ms: number) => Promise<void>> {
  let time = Date.now();
  await page.clock.setFixedTime(time);
  return (ms) => {
    time += ms;
    return page.clock.setFixedTime(time);
  };
}

test.beforeEach(async ({ page, app, contextOptions }) => {
  if (contextOptions.reducedMotion !== 'reduce') await holdAnswers(page);
  await signedIn(page, app, newPerson(), '/chat');
});

test.describe('with answers that are typed out', () => {
  test.use({ ...WORKER_AT_NIGHT, contextOptions: { reducedMotion: 'no-preference' } });

  test('a question starts a conversation and gets its answer there', async ({ page }) => {
    await expect(page.getByRole('heading', { name: 'New Chat' })).toBeVisible();
    for (const tip of ['Concise', 'Unambiguous', 'Respectful']) await expect(page.getByText(tip, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Enter chat description!')).toBeVisible();

    const type = await holdTyping(page);
    await page.getByRole('button', { name: 'Compare Ethereum and Solana' }).click();
    await page.waitForURL('**/chat/archive/*');
    await expect(conversation(page).getByText('Compare Ethereum and Solana')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
    await type(4_000);
    await expect(conversation(page).getByRole('table')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(conversation(page)).toContainText('Data:');
    await expect(page.getByRole('heading', { name: 'New Chat' })).toHaveCount(0); // the title replaced it

    // A draft survives leaving the page. Shift+Enter adds a line to it.
    await composer(page).fill('first line');
    await composer(page).press('Shift+Enter');
    await page.keyboard.type('second line');
    await page.getByRole('link', { name: 'Archive' }).last().click();
    await page.locator('a[href^="/chat/archive/"]').first().click();
    await expect(composer(page)).toHaveValue('first line\nsecond line');
  });

  test('an answer arrives for a user who left, and does not scroll a user who is reading', async ({ page }) => {
    const type = await holdTyping(page);
    await askHere(page, LONG);
    await page.waitForURL('**/chat/archive/*');
    const address = page.url();
    await expect(page.getByText('Waiting for the answer').or(page.getByRole('button', { name: 'Show all' }))).toBeVisible();
    await page.goto('/home');
    const isAnswered = async () => (await storedMessages(page, address)).messages.map(({ answered }) => answered);
    await expect.poll(isAnswered).toEqual([true]);
    await page.goto(address);
    await expect(conversation(page)).toContainText('Data:');
    await expect(page.getByRole('button', { name: 'Show all' })).toHaveCount(0); // only a new answer is typed out

    await askHere(page, LONG);
    await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
    await type(2_000);
    await conversation(page).evaluate((scroller) => {
      scroller.scrollTop = 0;
    });
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    await expect(jump).toBeVisible();
    const words = async () => (await conversation(page).innerText()).length;
    const before = await words();
    await type(2_000);
    await expect.poll(words).toBeGreaterThan(before + 40); // the answer grows below
    expect(await conversation(page).evaluate((scroller) => scroller.scrollTop)).toBe(0);
    await jump.click();
    await expect(jump).toHaveCount(0);
    const toEnd = () => conversation(page).evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
    await expect.poll(toEnd).toBeLessThan(30);
  });
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('closing the Free-plan notice leaves a floating link', async ({ page }) => {
    await expect(page.getByRole('complementary')).toContainText(
      "Free plan: You don't have access to chart analysis & general questions. Upgrade to Premium plan for unlimited chart analysis.",
    );
    await page.getByRole('button', { name: 'Close notice' }).click();
    await expect(page.getByRole('complementary')).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/pricing');
    await expect(page.getByRole('complementary')).toHaveCount(0);
  });
});

test('a conversation started offline is answered by the device, waits, and is sent once', async ({ page, context }) => {
  await workerReady(page);
  await listStored(page);
  await context.setOffline(true);
  await askHere(page, 'What is staking?');
  await page.waitForURL('**/chat/archive/*');
  const path = new URL(page.url()).pathname;
  await expect(page.getByText('Waiting for connection')).toBeVisible();
  await expect(page.getByText(/^From this device, figures of /)).toBeVisible();
  await expect(conversation(page)).toContainText('Data:');
  // A question whose acknowledgement is late is sent again with the same id, and counts as the same.
  const sent = new Set<string | undefined>();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('"chat_message"')) sent.add(/"client_id":"([^"]+)"/.exec(String(payload))?.[1]);
    });
  });
  await page.reload(); // offline, so everything comes from the device
  await takenOver(page);
  await expect(page.getByText('Waiting for connection')).toBeVisible();
  await expect(page.getByText(/^From this device, figures of /)).toBeVisible();
  await expect(page.getByText(/^Offline · saved /).first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto('/archive');
  await expect(page.locator(`a[href="${path}"]`)).toContainText('Not sent yet');

  await context.setOffline(false);
  await expect(page.getByText('Not sent yet')).toHaveCount(0, { timeout: 30_000 });
  await page.goto(path);
  await expect(conversation(page)).toContainText('Data:');
  await expect(conversation(page).getByText('What is staking?')).toHaveCount(1);
  // The server says the same, so its answer takes the place of the device's.
  await expect(conversation(page).getByText('Waiting for the answer')).toHaveCount(0);
  await expect(page.getByText(/^From this device/)).toHaveCount(0);
  await expect(conversation(page).getByText('Data:')).toHaveCount(1);
  expect(sent.size).toBe(1);
});

test.describe(() => {
  test.use(WORKER_AT_NIGHT);

  test('an unknown conversation says that it does not exist', { tag: '@nightly' }, async ({ page }) => {
    for (const id of ['11111111-1111-4111-8111-111111111111', 'nonsense']) {
      await page.goto(`/chat/archive/${id}`);
      await expect(page.getByText("This chat doesn't exist or was deleted.")).toBeVisible();
    }
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
