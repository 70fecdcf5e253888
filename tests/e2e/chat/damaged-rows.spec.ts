import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { userRows } from '#tests/support/browser/device-db.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

test.use({ serviceWorkers: 'block' });

/** Changes the fields of the only stored row of a store of the user's database. */
const damage = (page: Page, store: string, fields: Record<string, unknown>) =>
  page.evaluate(
    async ([store, fields]) => {
      const name = (await indexedDB.databases()).find(({ name }) => name?.startsWith('tidemark-user-'))?.name ?? '';
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const db = await done(indexedDB.open(name));
      const rows = db.transaction(store, 'readwrite').objectStore(store);
      const [row] = await done(rows.getAll());
      await done(rows.put({ ...row, ...fields }));
      db.close();
    },
    [store, fields] as const,
  );

const DAMAGES: Record<string, unknown>[] = [
  { ai_response: 5 },
  { ai_response: null, user_message: null },
  { user_message: { text: 'no' } },
  { choices: 'no' },
  { figures: 5 },
  { coins: 'no' },
  { coins: [{}] },
  { action: 5 },
  { action: { kind: 'alert' } },
  { marks: 5 },
  { chat_image: {}, preview_image: 5 },
  { device_answer: { text: 5, asOf: 'x' } },
  { created_at: 5, rating: {}, failed: 'no' },
];

test('a chat with a damaged message opens without it, and shows it again once the server has sent it', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  await ask(page, app, 'What is staking?');
  const answered = page.getByRole('button', { name: 'Edit message' });
  await expect(answered).toBeVisible();
  await expect.poll(async () => (await userRows(page, 'messages')).messages[0]?.chat_status).toBe('ai-responce');
  const [whole] = (await userRows(page, 'messages')).messages;
  for (const fields of DAMAGES) {
    await test.step(JSON.stringify(fields), async () => {
      await page.route('**/api/archive/**', (route) => route.abort());
      await damage(page, 'messages', fields);
      await page.reload();
      await expect(page.getByRole('textbox').last()).toBeVisible();
      await expect(page.getByText('This page could not be shown')).toHaveCount(0);
      await page.unroute('**/api/archive/**');
      await page.reload();
      await expect(answered).toBeVisible();
      await expect.poll(async () => (await userRows(page, 'messages')).messages).toEqual([whole]);
    });
  }
});
