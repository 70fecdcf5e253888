import { expect, type Page } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { userRows } from '#tests/support/browser/device-db.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { test } from '../fixtures.ts';

test.use({ serviceWorkers: 'block' });

/** Changes the fields of the first stored row of a store of the user's database, or of the row at `key`. */
const damage = (page: Page, store: string, fields: Record<string, unknown>, key?: number) =>
  page.evaluate(
    async ([store, fields, key]) => {
      const name = (await indexedDB.databases()).find(({ name }) => name?.startsWith('tidemark-user-'))?.name ?? '';
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const db = await done(indexedDB.open(name));
      const rows = db.transaction(store, 'readwrite').objectStore(store);
      const [row] = await done(rows.getAll(key));
      await done(rows.put({ ...row, ...fields }));
      db.close();
    },
    [store, fields, key] as const,
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

/** Damages of Bitcoin's row that no figure or name on the screen can be made of. */
const COIN_DAMAGES: Record<string, unknown>[] = [
  { quote: null },
  { quote: { USD: { price: 'no', percent_change_24h: {}, market_cap: 'no' } } },
  { symbol: null },
  { line_7d: 5 },
];

test('a market with a damaged coin opens with the others, and shows it again once the server has sent it', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  await page.goto('/crypto');
  const rows = page.getByRole('list', { name: 'Coins' }).getByRole('link');
  await listStored(page);
  for (const fields of COIN_DAMAGES) {
    await test.step(JSON.stringify(fields), async () => {
      await page.route('**/coin-market/**', (route) => route.abort());
      await damage(page, 'coins', fields, 1);
      await page.reload();
      await expect(rows).toHaveCount(100);
      await page.unroute('**/coin-market/**');
      await page.reload();
      await expect(rows.first()).toContainText(/Bitcoin.*BTC.*\$\d/);
      await expect.poll(async () => (await userRows(page, 'coins')).coins.find(({ id }) => id === 1)).not.toMatchObject(fields);
    });
  }
});

test('a list with a damaged chat opens, and shows the chat again once the server has sent it', async ({ page, app }) => {
  await signedIn(page, app, newPerson());
  await ask(page, app, 'What is staking?');
  await expect(page.getByRole('button', { name: 'Edit message' })).toBeVisible();
  await page.goto('/archive');
  const chat = page.getByRole('main').getByRole('listitem').getByRole('link');
  await expect(chat).toHaveCount(1);
  for (const fields of [{ archive_title: 5 }, { created_at: 5 }, { preview: 5 }]) {
    await test.step(JSON.stringify(fields), async () => {
      await page.route('**/archives/**', (route) => route.abort());
      await damage(page, 'archives', fields);
      await page.reload();
      await expect(chat).toHaveCount(1);
      await page.unroute('**/archives/**');
      await page.reload();
      await expect.poll(async () => (await userRows(page, 'archives')).archives[0]).not.toMatchObject(fields);
    });
  }
});
