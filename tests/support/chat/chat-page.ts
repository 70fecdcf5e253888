import { expect, type Page } from '@playwright/test';

/** Helpers for the chat screen. */
export const composer = (page: Page) => page.getByRole('textbox').last();
export const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });

/** Asks by keyboard and waits until the question is stored and shown. */
export async function askHere(page: Page, question: string): Promise<void> {
  await composer(page).fill(question);
  await composer(page).press('Enter');
  await page.waitForURL('**/chat/archive/*');
  await expect(conversation(page).getByText(question, { exact: true })).toBeVisible();
}

interface StoredMessage {
  question: string;
  answered: boolean;
}

/** Returns the open conversation's messages on the device and the number of queued commands. */
export const storedMessages = (page: Page): Promise<{ messages: StoredMessage[]; unsent: number }> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const name = (await indexedDB.databases()).find((it) => it.name?.startsWith('tidemark-user-'))?.name ?? '';
    const db = await done(indexedDB.open(name));
    const all = (store: string) => done(db.transaction(store).objectStore(store).getAll());
    const archiveId = location.pathname.split('/').at(-1);
    const rows = (await all('messages')).filter((row) => row.archive_id === archiveId).sort((one, other) => one.position - other.position);
    const unsent = (await all('outbox')).length;
    db.close();
    return { messages: rows.map((row) => ({ question: row.user_message, answered: row.chat_status === 'ai-responce' })), unsent };
  });

/** Waits until exactly these questions are stored and answered, in order, on the device and on the server. */
export async function expectAnswered(page: Page, questions: string[]): Promise<void> {
  const wanted = { messages: questions.map((question) => ({ question, answered: true })), unsent: 0 };
  await expect.poll(() => storedMessages(page), { timeout: 60_000 }).toEqual(wanted);
  await page.reload();
  await expect(page.getByText('Updated just now').last()).toBeVisible();
  await expect.poll(() => storedMessages(page)).toEqual(wanted);
  for (const question of questions) await expect(conversation(page).getByText(question, { exact: true })).toHaveCount(1);
}
