import { expect } from '@playwright/test';
import { exportedChat, exportedFiles, exportedMessage, idOf, packed } from '#tests/support/accounts/export-file.ts';
import { openAs, register } from '#tests/support/accounts/signed-in.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { startTcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { test } from '../fixtures.ts';

/** Chats of one request, which a browser sends in several pieces. */
const CHATS = 12;
/** Characters of an answer. */
const LONG = 20_000;
/** Answers of chats that are in none of the first pieces. */
const LATE = 'This is far from the first piece.';

const chatId = (number: number) => `44444444-4444-4444-8444-${String(number).padStart(12, '0')}`;
const numbers = Array.from({ length: CHATS }, (_, index) => index + 1);
const files = exportedFiles({
  'chats.json': numbers.map((number) => exportedChat({ id: chatId(number), title: `Chat ${number}` })),
  'chat-messages.json': numbers.map((number) =>
    exportedMessage({
      id: idOf(number),
      archive_id: chatId(number),
      ai_response: (number > CHATS / 2 ? LATE : 'It rises. ').repeat(LONG).slice(0, LONG),
    }),
  ),
});

test('an import whose connection is lost in the middle of its upload, and of the answer, adds everything once', async ({ page, app }) => {
  const person = newPerson();
  await register(app, person);
  const proxy = await startTcpProxy({ port: Number(new URL(app.url).port) });
  try {
    await openAs(page, { ...app, url: `http://localhost:${proxy.port}` }, person, '/settings/storage');
    const file = { name: 'tidemark.zip', mimeType: 'application/zip', buffer: await packed(files) };
    await page.getByLabel('Choose an export').setInputFiles(file);
    const preview = page.getByRole('list', { name: 'What would be added' });
    await expect(preview).toContainText(`${CHATS} chats and ${CHATS} questions would be added`);

    const stopped = page.getByRole('alert').filter({ hasText: 'The import stopped' });
    /** Presses a button, and waits until the page says that the import has stopped because its request failed. */
    const stops = async (button: string) => {
      const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/archives/import'));
      await page.getByRole('button', { name: button }).click();
      await failed;
      await expect(stopped).toContainText('No connection. Please try again when you are online. Trying again adds nothing twice.');
    };
    proxy.breakInside(new RegExp(LATE), 'client');
    await stops('Add to my account');
    await stops('Try again');
    await proxy.heal();
    proxy.breakInside(/"left_out"/, 'server');
    await stops('Try again');
    await proxy.heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(`Added ${CHATS} chats, ${CHATS} questions, 1 coin, and 1 alert`)).toBeVisible();

    await page.getByRole('button', { name: 'Close message' }).click();
    await page.getByLabel('Choose an export').setInputFiles(file);
    await expect(preview).toContainText(`${CHATS} chats are here already`);
    await expect(preview).toContainText('1 coin is here already');
    await expect(preview).toContainText('1 alert is here already');
    await expect(page.getByText('There is nothing to add.')).toBeVisible();
    await page.goto(`http://localhost:${proxy.port}/archive`);
    await expect(page.locator('a[href^="/chat/archive/"]')).toHaveCount(CHATS);
  } finally {
    await proxy.close();
  }
});
