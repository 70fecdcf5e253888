import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { userRows } from '#tests/support/browser/device-db.ts';
import { type KillableBrowser, startBrowser } from '#tests/support/browser/killable-browser.ts';
import { composer, conversation } from '#tests/support/chat/chat-page.ts';

/** A question as the device has stored it. */
interface StoredQuestion {
  id: string;
  archiveId: string;
  text: string;
  isAnswered: boolean;
  /** The device kept its own answer, although the server's says the same. */
  isRepeated: boolean;
}

/** What a device has of its user's chats. */
export interface DeviceChats {
  archives: string[];
  questions: StoredQuestion[];
  /** Commands in the outbox. */
  unsent: number;
}

async function readChats(tab: Page): Promise<DeviceChats> {
  const { archives, messages, outbox } = await userRows(tab, 'archives', 'messages', 'outbox');
  const said = (answer: string | undefined) => answer?.split('\n\nData: ')[0];
  return {
    archives: archives.map(({ id }) => id),
    questions: messages.map(({ id, archive_id, user_message, ai_response, device_answer }) => ({
      id,
      archiveId: archive_id,
      text: user_message,
      isAnswered: ai_response !== '',
      isRepeated: said(ai_response) === said(device_answer?.text),
    })),
    unsent: outbox.length,
  };
}

/** A phone with the installed app in two tabs. */
export interface QuestionDevice {
  /** The tabs that are open. */
  tabs(): Page[];
  /** Cuts the device off as a flight mode does. */
  setOffline(isOffline: boolean): Promise<void>;
  /** Kills the browser with SIGKILL, and starts it again with both tabs where they were. */
  restart(): Promise<void>;
  /** Kills the browser, and leaves it so until `restart`. */
  kill(): Promise<void>;
  chats(): Promise<DeviceChats>;
  remove(): Promise<void>;
}

/** Starts a device. `prepare` signs in on its first tab. */
export async function openQuestionDevice(url: string, prepare: (page: Page) => Promise<void>): Promise<QuestionDevice> {
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-schedule-'));
  let browser: KillableBrowser = await startBrowser(profile);
  let tabs: Page[] = [];
  let places = [`${url}/chat`, `${url}/chat`];
  let isOffline = false;

  const note = () => {
    places = places.map((place, at) => tabs[at]?.url() ?? place);
  };
  const openTabs = async () => {
    await browser.context.setOffline(isOffline);
    tabs = [await browser.context.newPage(), await browser.context.newPage()];
    for (const [at, tab] of tabs.entries()) await tab.goto(places[at] ?? url);
  };
  const device: QuestionDevice = {
    tabs: () => tabs,
    async setOffline(value) {
      isOffline = value;
      await browser.context.setOffline(value);
    },
    async kill() {
      note();
      tabs = [];
      await browser.kill();
    },
    async restart() {
      if (tabs.length > 0) await device.kill();
      browser = await startBrowser(profile);
      await openTabs();
    },
    chats: () => readChats(tabs[0] as Page),
    async remove() {
      await browser.kill();
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  try {
    const first = await browser.context.newPage();
    await prepare(first);
    await first.close();
    await openTabs();
  } catch (error) {
    await device.remove();
    throw error;
  }
  return device;
}

/** Types a question into a tab and presses Enter. Does not wait for what follows. */
export async function sendFrom(tab: Page, question: string): Promise<void> {
  await expect(composer(tab)).toBeEditable();
  await composer(tab).fill(question);
  await composer(tab).press('Enter');
}

/** Waits until a tab shows a question as stored. Resolves with its conversation's id. */
export async function shownAsStored(tab: Page, question: string): Promise<string> {
  await tab.waitForURL('**/chat/archive/*');
  const item = conversation(tab).getByRole('listitem').filter({ hasText: question }).last();
  await expect(item).toBeVisible();
  await expect(item.getByText('Saving')).toHaveCount(0);
  return new URL(tab.url()).pathname.split('/').at(-1) ?? '';
}
