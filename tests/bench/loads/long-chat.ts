import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { listChats } from '#tests/support/chat/listed-chats.ts';
import { fillDevice } from '../fill-device.ts';
import { median } from '../median.ts';
import { chatOf, conversationRows } from '../stored-chats.ts';

const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
const LIMITS = { open: 1.3, keystroke: 1.5 };
const SIZES = { short: 100, long: 10_000 };
const ARCHIVES = { short: '6f1c2a52-95d5-4d0c-8a6f-000000000100', long: '6f1c2a52-95d5-4d0c-8a6f-000000010000' };
const TYPED = 'Where are support and resistance of Bitcoin?';
const ROW = 'li[data-id]';

type Name = keyof typeof SIZES;

async function slowPage(context: BrowserContext): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return { page, session };
}

/** Runs in the page before its own scripts. */
function watchRows(row: string) {
  const look = () => {
    if (document.querySelector(row)) requestAnimationFrame(() => setTimeout(() => Object.assign(window, { readyMs: performance.now() })));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Measures from the start of the navigation until the messages are painted, ms. */
async function openMs(context: BrowserContext, url: string, name: Name): Promise<number> {
  const { page } = await slowPage(context);
  await page.addInitScript(watchRows, ROW);
  await page.goto(`${url}/chat/archive/${ARCHIVES[name]}`);
  const ready = await page.waitForFunction(() => (window as { readyMs?: number }).readyMs);
  const ms = (await ready.jsonValue()) ?? Number.NaN;
  await page.close();
  return ms;
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** Measures the main-thread time of a typed character, including draft and rendering, ms. */
async function keystrokeMs(context: BrowserContext, address: string): Promise<number> {
  const { page, session } = await slowPage(context);
  await page.goto(address);
  await page.getByText('questions ·').waitFor();
  if (address.includes('/archive/')) await page.locator(ROW).first().waitFor();
  await page.waitForLoadState('networkidle');
  const composer = page.getByRole('textbox').last();
  await composer.fill('');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const before = await taskMs(session);
  await composer.pressSequentially(TYPED);
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 400))); // The draft is stored.
  const ms = (await taskMs(session)) - before;
  await composer.fill('');
  await page.close();
  return ms / TYPED.length;
}

/** Stores both conversations on the device and answers requests for them. */
async function fill(context: BrowserContext, url: string) {
  const created_at = '2026-01-01T00:00:00.000Z';
  const archives = [ARCHIVES.short, ARCHIVES.long].map((id) => ({ id, archive_title: 'Chat', created_at }));
  const chats = [...chatOf(ARCHIVES.short, SIZES.short), ...chatOf(ARCHIVES.long, SIZES.long)];
  await listChats(context, archives, chats);
  const page = await context.newPage();
  await page.goto(`${url}/archive`); // Creates the database.
  await page.locator('a[href^="/chat/archive/"]').first().waitFor();
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(fillDevice, conversationRows(archives, chats));
  await page.close();
}

/** Measures short and long conversations in turn, so that a busy machine slows both. Returns lines to print. */
export async function longChatBench(context: BrowserContext, url: string): Promise<string[]> {
  await fill(context, url);
  const opening = { short: [] as number[], long: [] as number[] };
  const typing = { short: [] as number[], long: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    opening.short.push(await openMs(context, url, 'short'));
    opening.long.push(await openMs(context, url, 'long'));
    typing.short.push(await keystrokeMs(context, `${url}/chat`));
    typing.long.push(await keystrokeMs(context, `${url}/chat/archive/${ARCHIVES.long}`));
  }
  await context.unrouteAll();
  const line = (what: string, { short, long }: typeof opening, limit: number) => {
    const ratio = median(long) / median(short);
    return `${what}: ${median(long).toFixed(1)} ms against ${median(short).toFixed(1)} ms, ratio ${ratio.toFixed(2)} (${ratio <= limit ? 'within' : 'OVER'} ${limit})`;
  };
  return [
    line('Opening a chat of 10,000 messages against one of 100, processor ÷ 4', opening, LIMITS.open),
    line('A keystroke in the composer below 10,000 messages against one in an empty chat, processor ÷ 4', typing, LIMITS.keystroke),
  ];
}
