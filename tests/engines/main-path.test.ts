import { expect, vi } from 'vitest';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { archivesAnswer } from '#contract/chat/archive.ts';
import { conversationAnswer } from '#contract/chat/chat.ts';
import { readKeys } from '#tests/support/browser/device-db.ts';
import { call, PASSWORD } from '../faults/api.ts';
import type { EngineTab } from './engine.ts';
import { describeEngines, type EngineSetup, expectCount, expectRun, expectText } from './engine-test.ts';
import { click, count, fill, isServedByWorker, pathname, press, type, userDatabases, words } from './in-page.ts';

const QUESTION = 'What is the price of Bitcoin?';
const COINS = 'main a[href^="/crypto/details/"]';
const BOXES = 'main input[inputmode=numeric]';

async function ask(tab: EngineTab, url: string, question: string): Promise<string> {
  await tab.open(`${url}/chat`);
  await expectCount(tab, 'main textarea', 1);
  await tab.run(type, 'main textarea', [question]);
  await tab.run(press, 'Send');
  await vi.waitFor(async () => expect(await tab.run(pathname)).toMatch(/^\/chat\/archive\//), { timeout: 30_000 });
  return tab.run(pathname);
}

/** Waits until the device has stored an answer, which the screen shows before. */
const expectStored = (tab: EngineTab, stamp: string) =>
  vi.waitFor(async () => expect(await tab.run(readKeys, 'stamps')).toContain(stamp), { timeout: 30_000, interval: 200 });

/** Logs in over the API and returns a function that reads what the server has of this user. */
async function serverData({ app }: EngineSetup, email: string) {
  const { body } = await call(app, 9_000, '/auth/login/', { body: { email, password: PASSWORD } });
  const token = tokensAnswer.parse(body).data.accessToken;
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const get = async (path: string) => (await call(app, 9_000, path, { token })).body;
  return async () => {
    const archives = archivesAnswer.parse(await get(`/user/${sub}/archives/`)).data;
    const chats = await Promise.all(archives.map(async ({ id }) => conversationAnswer.parse(await get(`/archive/${id}/chats`)).data));
    return {
      questions: chats.flat().map(({ user_message, chat_status }) => [user_message, chat_status]),
      watchlist: JSON.stringify((await call(app, 9_000, `/watchlist/${sub}`, { body: {}, token })).body),
    };
  };
}

describeEngines((setup, testEngine) => {
  const open = (tab: EngineTab, path: string) => tab.open(setup.app.url + path);

  testEngine('a new user signs up, reads the market and gets an answer', async () => {
    const tab = await setup.start();
    const email = `${setup.engine.name.toLowerCase()}.main@example.com`;
    await open(tab, '/');
    await expectRun(tab, pathname, '/onboarding/one');
    for (const [button, next] of [
      ['Next', '/onboarding/two'],
      ['Next', '/onboarding/three'],
      ['Get Started', '/sign-up'],
    ] as const) {
      await vi.waitFor(() => tab.run(press, button), { timeout: 30_000 });
      await expectRun(tab, pathname, next);
    }
    await expectCount(tab, 'input[type=checkbox]', 1);
    await tab.run(click, 'input[type=checkbox]');
    const person = { 'First Name': 'Ada', 'Last Name': 'King', Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD };
    await tab.run(fill, person, 'Sign Up');
    await expectRun(tab, pathname, '/verification-email');
    await expectCount(tab, BOXES, 4);
    await tab.run(type, BOXES, [...(await setup.app.readCode(email))]);
    await expectRun(tab, pathname, '/home');
    await expectText(tab, 'Ada King');

    await open(tab, '/crypto');
    await expectCount(tab, COINS, 100);
    await tab.run(click, COINS);
    await expectText(tab, 'Circulating Supply');
    await ask(tab, setup.app.url, QUESTION);
    await expectText(tab, 'Data:');
  });

  testEngine('a restarted browser opens everything offline', async () => {
    const { tab } = await setup.startSignedIn();
    await expectRun(tab, isServedByWorker, true);
    await open(tab, '/crypto');
    await expectCount(tab, COINS, 100);
    await expectStored(tab, 'coins/USD/1/100');
    await open(tab, '/crypto/details/1');
    await expectStored(tab, 'coin/1');
    const conversation = await ask(tab, setup.app.url, QUESTION);
    await expectText(tab, 'Data:');
    await expectStored(tab, `chats/${conversation.split('/').at(-1)}`);
    await open(tab, '/archive');
    await expectStored(tab, 'archives');
    await expectCount(tab, `main a[href="${conversation}"]`, 1);
    await open(tab, '/settings/watchlist');
    await expectText(tab, 'No watchlist data found!');
    await setup.app.stop();
    await setup.kill();

    const next = await setup.restart();
    await open(next, '/home');
    await expectText(next, 'Crash Test');
    await open(next, '/crypto');
    await expectCount(next, COINS, 100);
    await expectText(next, 'Offline · saved');
    await open(next, '/crypto/details/1');
    await expectText(next, 'Circulating Supply');
    await open(next, '/archive');
    await expectCount(next, `main a[href="${conversation}"]`, 1);
    await open(next, conversation);
    await expectText(next, QUESTION);
    await expectText(next, 'Data:');
    for (const path of ['/settings/account', '/settings/help-center', '/settings/terms-and-conditions']) {
      await open(next, path);
      await vi.waitFor(async () => expect(await next.run(count, 'h1')).toBeGreaterThan(0), { timeout: 30_000 });
      await vi.waitFor(async () => expect(await next.run(words)).not.toContain('Loading'), { timeout: 30_000 });
    }
  });
});

describeEngines((setup, testEngine) => {
  const open = (tab: EngineTab, path: string) => tab.open(setup.app.url + path);

  testEngine('a question and a heart made offline reach the server once', async () => {
    const { tab, email } = await setup.startSignedIn();
    await open(tab, '/settings/watchlist');
    await expectText(tab, 'No watchlist data found!');
    await open(tab, '/crypto/details/1');
    await expectCount(tab, 'button[aria-label="Add Bitcoin to watchlist"]', 1);
    await setup.app.stop();
    await tab.run(press, 'Add Bitcoin to watchlist');
    await expectCount(tab, 'button[aria-label="Remove Bitcoin from watchlist"]', 1);
    await ask(tab, setup.app.url, 'What is staking?');
    await expectText(tab, 'Waiting for connection');
    await open(tab, '/settings/watchlist');
    await expectText(tab, 'Bitcoin');

    await setup.app.start();
    const read = await serverData(setup, email);
    await vi.waitFor(
      async () => {
        const { questions, watchlist } = await read();
        expect(questions).toEqual([['What is staking?', 'ai-responce']]);
        expect(watchlist).toContain('Bitcoin');
      },
      { timeout: 60_000, interval: 1_000 },
    );
  });

  testEngine('signing out ends both tabs and removes the data', async () => {
    const { tab } = await setup.startSignedIn();
    const other = await setup.tab();
    await open(other, '/crypto');
    await expectCount(other, COINS, 100);
    await open(tab, '/settings/account');
    await vi.waitFor(() => tab.run(press, 'Logout'), { timeout: 30_000 });
    await expectCount(tab, 'dialog[open]', 1);
    await tab.run(press, 'Logout');
    await expectRun(tab, pathname, '/login');
    await expectRun(other, pathname, '/login');
    await expectRun(tab, userDatabases, []);
  });
});
