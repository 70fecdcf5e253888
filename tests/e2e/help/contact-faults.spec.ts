import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, type Worker } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { startBrowser } from '#tests/support/browser/killable-browser.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { workerOf, workerReady } from '#tests/support/browser/worker-ready.ts';
import { expectArrived, expectState, messageRow, writeMessage } from '#tests/support/help/contact-page.ts';
import { test } from '../fixtures.ts';

const SEND = '**/api/contact-us/send-message';

async function openHelp(page: Page, url = ''): Promise<void> {
  await page.goto(`${url}/settings/help-center`);
  await workerReady(page);
}

const close = (page: Page) => page.getByRole('button', { name: 'Close' }).first().click();

test('messages survive a lost connection, a stopped server, an expired token, a 500, a 422 and a lost response, each sent once', {
  tag: '@nightly',
}, async ({ page, context, app }) => {
  const person = newPerson();
  await signedIn(page, app, person, '/settings/help-center');
  await workerReady(page);

  await context.setOffline(true);
  await writeMessage(page, 'written offline');
  await expect(page.getByText('will be sent when you are back online.')).toBeVisible();
  await close(page);
  await expectState(page, 'written offline', 'Waiting');
  await context.setOffline(false);
  await expectState(page, 'written offline', 'Sent');

  // The browser stays online.
  await app.stop();
  await app.endAccessTokens();
  await writeMessage(page, 'server down, token expired');
  await close(page);
  await expectState(page, 'server down, token expired', 'Waiting');
  await app.start();
  await expectState(page, 'server down, token expired', 'Sent');

  await page.route(SEND, (route) => route.fulfill({ status: 500, json: { status: 500, code: 'internal', message: 'Trouble' } }), {
    times: 1,
  });
  await writeMessage(page, 'met a 500');
  await expectState(page, 'met a 500', 'Sent');
  await close(page);

  let answered = 0;
  await page.route(
    SEND,
    async (route) => {
      answered = (await route.fetch()).status();
      await route.abort();
    },
    { times: 1 },
  );
  await writeMessage(page, 'lost its answer');
  await expectState(page, 'lost its answer', 'Sent');
  await close(page);
  expect(answered).toBe(200); // the server stored the first attempt

  await page.route(SEND, (route) => route.fulfill({ status: 422, json: { status: 422, code: 'no', message: 'Not like this.' } }), {
    times: 1,
  });
  await writeMessage(page, 'was refused');
  await expect(page.getByRole('alert')).toContainText('Not like this.');
  await close(page);
  await expectState(page, 'was refused', 'Failed');
  await writeMessage(page, 'came after a refusal');
  await expectState(page, 'came after a refusal', 'Sent');
  await close(page);
  await messageRow(page, 'was refused').getByRole('button', { name: 'Retry' }).click();
  await expectState(page, 'was refused', 'Sent');

  await expectArrived(app, person.email, [
    'written offline',
    'server down, token expired',
    'met a 500',
    'lost its answer',
    'was refused',
    'came after a refusal',
  ]);
});

/** Counts the worker's POST requests. */
const watchWorker = (worker: Worker) =>
  worker.evaluate(() => {
    const real = self.fetch;
    const posts = { count: 0 };
    Object.assign(self, { posts });
    self.fetch = (input, init) => {
      if (init?.method === 'POST') posts.count += 1;
      return real(input, init);
    };
  });
const workerPosts = (worker: Worker) => worker.evaluate(() => (self as unknown as { posts: { count: number } }).posts.count);

test('the worker finishes the request of a closed page, and the next page that of a killed worker', async ({ page, context, app }) => {
  const person = newPerson();
  try {
    await signedIn(page, app, person, '/settings/help-center');
    await workerReady(page);
    const worker = await workerOf(context);
    await watchWorker(worker);
    app.freeze();
    await writeMessage(page, 'killed twice');
    await expect(messageRow(page, 'killed twice').getByText('Sending', { exact: true })).toBeVisible();
    const next = await context.newPage();
    await page.close();
    await expect.poll(() => workerPosts(worker), { timeout: 30_000 }).toBe(1);
    const session = await context.newCDPSession(next);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    app.thaw();
    await openHelp(next, app.url);
    await expectState(next, 'killed twice', 'Sent');
    await expectArrived(app, person.email, ['killed twice']);
  } finally {
    app.thaw();
  }
});

test('a killed browser sends a queued message after its restart, without any page', { tag: '@nightly' }, async ({ app }) => {
  const person = newPerson();
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-profile-'));
  let browser = await startBrowser(profile);
  try {
    const page = await browser.context.newPage();
    await signedIn(page, app, person, '/settings/help-center');
    await workerReady(page);
    app.freeze();
    await writeMessage(page, 'survived a kill');
    await close(page);
    await expect(messageRow(page, 'survived a kill').getByText('Sending', { exact: true })).toBeVisible();
    await browser.kill();
    await app.stop('SIGKILL'); // the request it had accepted is lost
    await app.start();
    browser = await startBrowser(profile);
    await expectArrived(app, person.email, ['survived a kill']);
  } finally {
    await browser.kill();
    rmSync(profile, { recursive: true, force: true });
    app.thaw();
  }
});

test('two tabs send each message once, and signing out asks about a queued message', { tag: '@nightly' }, async ({
  page,
  context,
  app,
}) => {
  let posts = 0;
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/contact-us/')) posts += 1;
  });
  const person = newPerson();
  await signedIn(page, app, person, '/settings/help-center');
  await workerReady(page);
  const other = await context.newPage();
  await openHelp(other);
  await context.setOffline(true);
  const tabs = [page, other];
  for (const [index, tab] of tabs.entries()) {
    await writeMessage(tab, `from tab ${index}`);
    await close(tab);
  }
  const before = posts;
  await context.setOffline(false);
  for (const tab of tabs) for (const index of tabs.keys()) await expectState(tab, `from tab ${index}`, 'Sent');
  await expectArrived(app, person.email, ['from tab 0', 'from tab 1']);
  expect(posts - before).toBe(2);
  await other.close();

  await page.route(SEND, (route) => route.fulfill({ status: 503, json: { status: 503, code: 'busy', message: 'Busy' } }));
  await context.route(SEND, (route) => route.abort()); // the worker's requests too
  await writeMessage(page, 'given up');
  await expect(page.getByText('The server cannot take your message right now.')).toBeVisible();
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Logout' }).click();
  const question = page.getByRole('dialog', { name: 'Logout' });
  await expect(question).toContainText('One message to support has not been sent yet and would be lost.');
  await question.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(databases, { timeout: 30_000 }).not.toContainEqual(expect.stringContaining('tidemark-user-'));
  await expectArrived(app, person.email, ['from tab 0', 'from tab 1']);
});
