import { expect, vi } from 'vitest';
import { receivedMessages } from '../support/help/received-messages.ts';
import type { EngineTab } from './engine.ts';
import { describeEngines, expectCount, expectRun } from './engine-test.ts';
import { attach, count, failUploads, fill, isServedByWorker, keepTyping, messageStates, press, reportOnline } from './in-page.ts';

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function writeMessage(tab: EngineTab, text: string): Promise<void> {
  await tab.run(press, 'Contact Us');
  await expectCount(tab, 'dialog textarea', 1);
  await tab.run(attach, PICTURE);
  await expectCount(tab, 'dialog li', 3);
  await tab.run(fill, { Message: text }, 'Send');
  await expectCount(tab, 'dialog textarea', 0);
}

describeEngines((setup, testEngine) => {
  async function openHelp(tab: EngineTab): Promise<void> {
    await tab.open(`${setup.app.url}/settings/help-center`);
    await expectCount(tab, 'details', 8);
    expect(await tab.run(isServedByWorker)).toBe(true);
  }
  const texts = async (start: string) =>
    (await receivedMessages(setup.app))
      .map(({ message, files }) => `${message}: ${files.length}`)
      .filter((text) => text.startsWith(`${setup.engine.name} ${start}`))
      .sort();

  testEngine('a page left in the middle of its work leaves its storage to the next one', async () => {
    const { tab } = await setup.startSignedIn();
    await tab.open(`${setup.app.url}/chat`);
    await expectCount(tab, 'main textarea', 1);
    await tab.run(keepTyping);
    await tab.open(`${setup.app.url}/crypto`);
    await vi.waitFor(async () => expect(await tab.run(count, 'main a[href^="/crypto/"]')).toBeGreaterThan(10), { timeout: 60_000 });
  });

  testEngine('a message written without a connection is sent once there is one', async () => {
    const { tab } = await setup.startSignedIn();
    await openHelp(tab);
    await setup.app.stop();
    await writeMessage(tab, `${setup.engine.name} offline`);
    await expectRun(tab, messageStates, ['Waiting']);
    await setup.app.start();
    await expectRun(tab, messageStates, ['Sent']);
    expect(await texts('offline')).toEqual([`${setup.engine.name} offline: 3`]);
  });

  testEngine('the worker sends a message that the page cannot send', async () => {
    const { tab } = await setup.startSignedIn();
    await openHelp(tab);
    await tab.run(failUploads);
    await writeMessage(tab, `${setup.engine.name} worker`);
    await tab.run(reportOnline);
    await expectRun(tab, messageStates, ['Sent']);
    expect(await texts('worker')).toEqual([`${setup.engine.name} worker: 3`]);
  });

  testEngine('two tabs send each message once', async () => {
    const { tab } = await setup.startSignedIn();
    await openHelp(tab);
    const other = await setup.tab();
    await openHelp(other);
    await setup.app.stop();
    await writeMessage(tab, `${setup.engine.name} tab one`);
    await writeMessage(other, `${setup.engine.name} tab two`);
    await expectRun(tab, messageStates, ['Waiting', 'Waiting']);
    await setup.app.start();
    await expectRun(tab, messageStates, ['Sent', 'Sent']);
    await expectRun(other, messageStates, ['Sent', 'Sent']);
    expect(await texts('tab')).toEqual([`${setup.engine.name} tab one: 3`, `${setup.engine.name} tab two: 3`]);
  });

  testEngine('a killed browser sends a waiting message after its restart', async () => {
    const { tab } = await setup.startSignedIn();
    await openHelp(tab);
    await setup.app.stop();
    await writeMessage(tab, `${setup.engine.name} killed`);
    await expectRun(tab, messageStates, ['Waiting']);
    await setup.kill();
    await setup.app.start();
    const next = await setup.restart();
    await openHelp(next);
    await expectRun(next, messageStates, ['Sent']);
    expect(await texts('killed')).toEqual([`${setup.engine.name} killed: 3`]);
  });
});
