import { expect, type Page } from '@playwright/test';
import { userRows } from '../browser/device-db.ts';

export const composer = (page: Page) => page.getByRole('textbox').last();
export const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });

/** Asks by keyboard. Resolves once the question is stored and visible. */
export async function askHere(page: Page, question: string): Promise<void> {
  await composer(page).fill(question);
  await composer(page).press('Enter');
  await page.waitForURL('**/chat/archive/*');
  await expect(conversation(page).getByText(question, { exact: true }).last()).toBeVisible();
}

/**
 * Holds answers back on the page's socket until the question shows as unanswered. The page types out only an answer that
 * it waited for, and a busy page can store a quick answer before it draws the question. Call it before the page connects.
 */
export async function holdAnswers(page: Page): Promise<void> {
  await page.routeWebSocket(/\/socket\.io\//, (client) => {
    const server = client.connectToServer();
    let sent: Promise<unknown> = Promise.resolve();
    server.onMessage((message) => {
      const isAnswer = String(message).startsWith('42["chat_response"');
      // A page without the chat has nothing to draw before it.
      const isInChat = () => new URL(page.url()).pathname.startsWith('/chat');
      const drawn = () => (isInChat() ? page.getByText('Waiting for the answer').waitFor({ state: 'attached' }) : undefined);
      // A test that leaves the page closes this socket, and the answer is not needed.
      sent = sent
        .then(() => (isAnswer ? drawn() : undefined))
        .then(
          () => client.send(message),
          () => undefined,
        );
    });
  });
}

interface StoredMessage {
  question: string;
  answered: boolean;
}

/** Returns a conversation's messages in the device's order, and how many commands the outbox holds. `address`: by default that of the page. */
export async function storedMessages(page: Page, address = page.url()): Promise<{ messages: StoredMessage[]; unsent: number }> {
  const archiveId = new URL(address).pathname.split('/').at(-1);
  const { messages, outbox } = await userRows(page, 'messages', 'outbox');
  const rows = messages.filter((row) => row.archive_id === archiveId).sort((one, other) => one.position - other.position);
  return {
    messages: rows.map((row) => ({ question: row.user_message, answered: row.chat_status === 'ai-responce' })),
    unsent: outbox.length,
  };
}

/** The longest wait for the answer to a picture, ms. Its reader may take 45 s (src/server/pictures/picture-reader.ts). */
export const PICTURE_LIMIT = 60_000;

/** Waits until the server has stored what the outbox holds. The answer follows, with a wait of its own. */
export const expectSent = (page: Page): Promise<void> =>
  expect.poll(async () => (await storedMessages(page)).unsent, { timeout: 30_000, message: 'commands that wait to be sent' }).toBe(0);

/** Waits until the device has exactly these questions in this order, all answered, then reloads them from the server. */
export async function expectAnswered(page: Page, questions: string[]): Promise<void> {
  const wanted = { messages: questions.map((question) => ({ question, answered: true })), unsent: 0 };
  await expect.poll(() => storedMessages(page), { timeout: 30_000, message: 'every question answered once' }).toEqual(wanted);
  await page.reload();
  await expect(page.getByText('Updated just now').last()).toBeVisible();
  await expect.poll(() => storedMessages(page)).toEqual(wanted);
  for (const question of questions) await expect(conversation(page).getByText(question, { exact: true })).toHaveCount(1);
}
