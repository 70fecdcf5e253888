import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { userRows } from '#tests/support/browser/device-db.ts';
import { startBrowser } from '#tests/support/browser/killable-browser.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { askHere, composer, conversation, expectAnswered, storedMessages } from '#tests/support/chat/chat-page.ts';
import { drone, hang, say } from '#tests/support/chat/openai.ts';
import { test } from '../fixtures.ts';

/** The server counts the month's allowance, so it shows what each question cost. */
const expectLeft = (page: Page, questions: number) => expect(page.getByText(`${questions} of 10 questions`)).toBeVisible();

/** Where to cut the page's socket once: before the acknowledgement, before the answer, or right after the answer. */
type Cut = 'acknowledgement' | 'answer' | 'reveal';

/** Puts a proxy into the page's socket, which cuts it when `line.cut` says so. */
async function tapSocket(page: Page) {
  const line: { cut: Cut | undefined } = { cut: undefined };
  await page.routeWebSocket(/\/socket\.io\//, (client) => {
    const server = client.connectToServer();
    const cut = async () => {
      line.cut = undefined;
      await Promise.all([client.close(), server.close()]);
    };
    client.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const text = String(message);
      if (line.cut === 'acknowledgement' && /^43\d/.test(text)) return void cut();
      const isAnswer = text.startsWith('42["chat_response"');
      if (line.cut === 'answer' && isAnswer) return void cut();
      client.send(message);
      if (line.cut === 'reveal' && isAnswer) void cut();
    });
  });
  return line;
}

test('a socket cut before the acknowledgement, before the answer or after it loses and duplicates nothing', async ({ page, app }) => {
  const line = await tapSocket(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' }); // the last cut falls into the typing
  await signedIn(page, app, newPerson(), '/chat');
  const questions = ['What is staking?', 'What is the price of Bitcoin?', 'Compare Ethereum and Solana'];
  const cuts: Cut[] = ['acknowledgement', 'answer', 'reveal'];
  for (const [index, question] of questions.entries()) {
    line.cut = cuts[index];
    await askHere(page, question);
    await expect.poll(() => line.cut, { timeout: 30_000 }).toBeUndefined();
    await expect
      .poll(async () => (await storedMessages(page)).messages.filter(({ answered }) => answered).length, { timeout: 30_000 })
      .toBe(index + 1);
  }
  await expectAnswered(page, questions);
  await expectLeft(page, 7);
});

test('a server killed between storing and answering gives one answer after its restart', { tag: '@nightly' }, async ({
  page,
  model,
  modelApp: app,
}) => {
  model.requests.length = 0;
  model.plays = [hang()];
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, 'What is staking?');
  await expect.poll(() => model.requests.length).toBe(1);
  await app.stop('SIGKILL');
  model.plays = [say('Staking locks coins for rewards.')];
  await app.start();
  await expect(conversation(page)).toContainText('Staking locks coins', { timeout: 30_000 });
  await expectAnswered(page, ['What is staking?']);
  await expectLeft(page, 9);
  expect(model.requests).toHaveLength(2); // the killed attempt and the one that answered

  // A stopped answer counts, because the model got the question.
  model.plays = [drone];
  await askHere(page, 'What is a wallet?');
  await expect.poll(() => model.requests.length).toBe(3);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  await expectAnswered(page, ['What is staking?', 'What is a wallet?']);
  await expectLeft(page, 8);
});

test('the app renews an access token that expires during a chat', { tag: '@nightly' }, async ({ page, app }) => {
  await signedIn(page, app, newPerson(), '/chat');
  await askHere(page, 'What is staking?');
  await expect(conversation(page)).toContainText('Data:');
  await app.stop();
  await app.endAccessTokens();
  await app.start();
  await askHere(page, 'What is the price of Bitcoin?');
  await expectAnswered(page, ['What is staking?', 'What is the price of Bitcoin?']);
  await expectLeft(page, 8);
});

test('two tabs with one chat send each question once and show the same messages', { tag: '@nightly' }, async ({ page, context, app }) => {
  let sent = 0;
  const count = (tab: Page) =>
    tab.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('"chat_message"')) sent += 1;
      }),
    );
  context.on('page', count);
  count(page);
  await signedIn(page, app, newPerson(), '/chat');
  const questions = ['What is staking?', 'What is the price of Bitcoin?', 'Compare Ethereum and Solana'];
  const [first = '', second = '', third = ''] = questions;
  await askHere(page, first);
  await expect(conversation(page)).toContainText('Data:');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(conversation(other)).toContainText('Data:');
  await context.setOffline(true);
  await askHere(page, second);
  await expect(conversation(other).getByText(second)).toBeVisible();
  await askHere(other, third);
  await context.setOffline(false);
  await expectAnswered(page, questions);
  await expectAnswered(other, questions);
  expect(sent).toBe(3);
  await expectLeft(page, 7);
});

test('a killed browser sends three queued questions after its restart and keeps the draft with its picture', async ({ app }) => {
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-profile-'));
  const questions = ['What is staking?', 'What is the price of Bitcoin?', 'Compare Ethereum and Solana'];
  let browser = await startBrowser(profile);
  try {
    const page = await browser.context.newPage();
    await signedIn(page, app, newPerson(), '/chat');
    await workerReady(page);
    await app.stop();
    for (const question of questions) await askHere(page, question);
    const address = page.url();
    await composer(page).fill('And this chart?');
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'navy' } })
      .png()
      .toBuffer();
    await page.locator('[data-way=Gallery]').setInputFiles({ name: 'chart.png', mimeType: 'image/png', buffer: picture });
    await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible();
    await expect.poll(() => hasDraft(page)).toBe(true);
    // Chromium writes localStorage seconds later, so the kill might keep or lose this key: the test removes it.
    await page.evaluate(() => localStorage.removeItem('onboarding-close'));
    await browser.kill();

    await app.start();
    browser = await startBrowser(profile);
    const again = await browser.context.newPage();
    await again.goto(address);
    await expect(composer(again)).toHaveValue('And this chart?');
    await expect(again.getByRole('img', { name: 'Attached to your question' })).toBeVisible();
    await expectAnswered(again, questions);
    await expectLeft(again, 7);
  } finally {
    await browser.kill();
    rmSync(profile, { recursive: true, force: true });
  }
});

/** Whether the device has stored the draft with its picture. */
const hasDraft = async (page: Page) => (await userRows(page, 'drafts')).drafts.some(({ imageId }) => imageId !== null);
