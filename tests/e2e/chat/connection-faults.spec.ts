import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { startBrowser } from '#tests/support/browser/killable-browser.ts';
import { signUp } from '#tests/support/browser/main-path.ts';
import { askHere, composer, conversation, expectAnswered, storedMessages } from '#tests/support/chat/chat-page.ts';
import { hang, say, startModelServer } from '#tests/support/chat/openai.ts';
import { startApp } from '#tests/support/processes/app.ts';
import { test } from '../fixtures.ts';

const person = (firstName: string) => ({
  firstName,
  lastName: 'King',
  email: `${firstName.toLowerCase()}.faults@example.com`,
  password: 'Abcde1',
});

/** The month's allowance is the server's word on what was charged. */
const expectLeft = (page: Page, questions: number) => expect(page.getByText(`${questions} of 10 questions`)).toBeVisible();

/** Where the page's socket is cut, once: instead of the acknowledgement, instead of the answer, or right after the answer. */
type Cut = 'acknowledgement' | 'answer' | 'reveal';

/** Stands in the middle of the page's socket. */
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

test('a socket that is cut before the acknowledgement, after it or in the reveal loses and doubles nothing', async ({ page, app }) => {
  test.slow();
  const line = await tapSocket(page);
  await signedIn(page, app, person('Cut'));
  await page.goto('/chat');
  const questions = ['What is staking?', 'What is the price of Bitcoin?', 'Compare Ethereum and Solana'];
  const cuts: Cut[] = ['acknowledgement', 'answer', 'reveal'];
  for (const [index, question] of questions.entries()) {
    line.cut = cuts[index];
    await askHere(page, question);
    await expect.poll(() => line.cut, { timeout: 30_000 }).toBeUndefined(); // it was cut
    await expect
      .poll(async () => (await storedMessages(page)).messages.filter(({ answered }) => answered).length, { timeout: 60_000 })
      .toBe(index + 1);
  }
  await expectAnswered(page, questions);
  await expectLeft(page, 7);
});

test('a server killed between storing and answering answers after its next start, once', async ({ page }) => {
  test.slow();
  const model = await startModelServer();
  model.plays = [hang()];
  const app = await startApp({ AI_BASE_URL: model.url, AI_MODEL: 'test', AI_API_KEY: 'key' });
  try {
    await signedIn(page, app, person('Crash'));
    await page.goto(`${app.url}/chat`);
    await askHere(page, 'What is staking?');
    await expect.poll(() => model.requests.length).toBe(1);
    await app.stop('SIGKILL');
    model.plays = [say('Staking locks coins for rewards.')];
    await app.start();
    await expect(conversation(page)).toContainText('Staking locks coins', { timeout: 60_000 });
    await expectAnswered(page, ['What is staking?']);
    await expectLeft(page, 9);
    expect(model.requests).toHaveLength(2); // the try that was killed, and the one that answered

    // One that takes too long can be stopped. It counts, because the model was asked.
    model.plays = [hang()];
    await askHere(page, 'What is a wallet?');
    await expect.poll(() => model.requests.length).toBe(3);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
    await expectAnswered(page, ['What is staking?', 'What is a wallet?']);
    await expectLeft(page, 8);
  } finally {
    await app.remove();
    await model.close();
  }
});

test('a token that expires in mid-chat is renewed without a word', async ({ page, app }) => {
  await signedIn(page, app, person('Token'));
  await page.goto('/chat');
  await askHere(page, 'What is staking?');
  await expect(conversation(page)).toContainText('Data:');
  // With another key, every access token of before is void, and the refresh token is not.
  await app.stop();
  rmSync(join(app.dataDir, 'jwt-secret'));
  await app.start();
  await askHere(page, 'What is the price of Bitcoin?');
  await expectAnswered(page, ['What is staking?', 'What is the price of Bitcoin?']);
  await expectLeft(page, 8);
});

test('two tabs on one chat send each question once and show the same', async ({ page, context, app }) => {
  test.slow();
  let sent = 0;
  const count = (tab: Page) =>
    tab.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('"chat_message"')) sent += 1;
      }),
    );
  context.on('page', count);
  count(page);
  await signedIn(page, app, person('Tabs'));
  await page.goto('/chat');
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

test('a browser killed with three questions waiting sends them at its next start, and still has the draft with its picture', async ({
  app,
}) => {
  test.slow();
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-profile-'));
  const questions = ['What is staking?', 'What is the price of Bitcoin?', 'Compare Ethereum and Solana'];
  let browser = await startBrowser(profile);
  try {
    const page = await browser.context.newPage();
    await signUp(page, app, person('Kill'));
    await page.goto(`${app.url}/chat`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
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
    // The browser writes the mark of onboarding seconds after it is set: a kill may take it along.
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

/** Whether the device has the draft with its picture by now. */
const hasDraft = (page: Page) =>
  page.evaluate(async () => {
    const name = (await indexedDB.databases()).find((it) => it.name?.startsWith('tidemark-user-'))?.name ?? '';
    const rows = await new Promise<{ imageId: string | null }[]>((resolve) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => {
        const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
        reading.onsuccess = () => {
          opening.result.close();
          resolve(reading.result);
        };
      };
    });
    return rows.some(({ imageId }) => imageId !== null);
  });
