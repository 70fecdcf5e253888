import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { HEALTH_PATH } from '#contract/paths.ts';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { deviceHas, deviceKeys } from '#tests/support/browser/device-db.ts';
import { startBrowser } from '#tests/support/browser/killable-browser.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { test } from '../fixtures.ts';

declare global {
  interface Window {
    clearsScreens?: boolean;
  }
}

/** Notes when a page asks the device to delete its stored screens. Runs in the page before its own scripts. */
function watchScreens() {
  const { clear } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.clear = function () {
    if (this.name === 'screens') window.clearsScreens = true;
    return clear.call(this);
  };
}

/** Lets every other page wait for the stored screens, until the browser ends. */
const holdScreens = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        indexedDB.open('tidemark').onsuccess = ({ target }) => {
          const { result: db } = target as IDBOpenDBRequest;
          const store = db.transaction('screens', 'readwrite').objectStore('screens');
          const hold = () => {
            store.count().onsuccess = hold;
            resolve();
          };
          store.count().onsuccess = hold;
        };
      }),
  );

const deletions: [string, string, (page: Page) => Promise<void>][] = [
  [
    'the deletion of a chat',
    '/archive',
    async (page) => {
      await page.getByRole('button', { name: /^Actions for / }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete chat' }).getByRole('button', { name: 'Delete' }).click();
    },
  ],
  [
    'Clear Chats',
    '/settings/storage',
    async (page) => {
      await page.getByRole('button', { name: 'Clear Chats' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click();
    },
  ],
];
for (const [name, path, deleteChat] of deletions) {
  test(`a browser killed during ${name} keeps no stored screen of a chat that is gone`, async ({ app }) => {
    const profile = mkdtempSync(join(tmpdir(), 'tidemark-profile-'));
    let browser = await startBrowser(profile);
    try {
      const page = await browser.context.newPage();
      await page.addInitScript(watchScreens);
      await signedIn(page, app, newPerson());
      await ask(page, app, 'What is staking?');
      await expect(page.getByRole('button', { name: 'Copy answer' })).toBeVisible();
      await workerReady(page);
      await page.reload();
      await deviceHas(page, 'screens', /^\/chat\//);
      await page.goto(app.url + path);
      const holder = await browser.context.newPage();
      await holder.goto(app.url + HEALTH_PATH);
      await holdScreens(holder);
      await deleteChat(page);
      await page.waitForFunction(() => window.clearsScreens);
      await browser.kill();

      browser = await startBrowser(profile);
      const again = await browser.context.newPage();
      await again.goto(app.url + HEALTH_PATH);
      expect(await deviceKeys(again, 'screens')).toContainEqual(expect.stringMatching(/^\/chat\//));
      expect(await deviceKeys(again, 'archives')).toHaveLength(1);
    } finally {
      await browser.kill();
      rmSync(profile, { recursive: true, force: true });
    }
  });
}
