import { setTimeout as pause } from 'node:timers/promises';
import { copyProfile, startChromium } from '../browser/chromium-process.ts';
import type { Session } from '../browser/devtools.ts';
import { awaitWorker, visit } from '../browser/visit.ts';
import { createUser } from '../first-screen/app-profiles.ts';
import { serveApp } from '../first-screen/first-screen.ts';
import { median } from '../median.ts';
import { type Certificate, createCertificate } from '../pages/certificate.ts';
import { servePage } from '../pages/page-server.ts';
import { open, slowTab, take } from '../taps/slow-tab.ts';
import { tapPage } from '../taps/tap-page.ts';
import { SWAP, SWAP_BACK } from '../taps/taps.ts';
import type { Workspace } from '../workspace.ts';

/** How long the app is left alone while it has a network, so that it keeps what it needs, ms. */
const SETTLE_MS = 8_000;
const QUESTION = 'How is Bitcoin?';
/** The device's answer, with its Markdown drawn. */
const ANSWERED = `({ shows }) => shows('li[data-id]', 'From this device') && shows('li[data-id]', 'is at $')`;

/** What an offline question took, ms. */
interface Asked {
  /** From the tap on Send to the frame with the answer. */
  fromSend: number;
  /** From the start of the navigation, typing included, which takes a person longer. */
  fromStart: number;
}

/** Asks in a browser process that was started without a network. */
async function askOffline(page: Session, url: string): Promise<Asked> {
  await page.send('Page.navigate', { url: `${url}/chat` });
  await onceThere(page, 'textarea');
  await page.evaluate(`document.querySelector('textarea').focus()`);
  await page.send('Input.insertText', { text: QUESTION });
  await page.evaluate(`taps.begin(${ANSWERED})`);
  const send = await page.evaluate<{ x: number; y: number }>(`taps.place('button[aria-label="Send"]')`);
  await page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [send] });
  await page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const fromSend = await page.evaluate<number>('taps.next()');
  return { fromSend, fromStart: await page.evaluate<number>('performance.now()') };
}

/** Waits for an element of the next document. */
async function onceThere(page: Session, selector: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const isThere = await page.evaluate<boolean>(`document.querySelector('${selector}') !== null`).catch(() => false);
    if (isThere) return;
    await pause(25);
  }
  throw new Error(`no ${selector}`);
}

/** Signs up and opens a chat with a network, as long as the app needs to keep what it answers from. */
async function prepare(workspace: Workspace, { pin }: Certificate, app: Parameters<typeof createUser>[0]['app']): Promise<string> {
  const { profile } = await createUser({ workspace, app, pin });
  const browser = await startChromium(workspace, { profile, pin });
  try {
    const page = await browser.page();
    await visit(page, { url: `${app.url}/chat`, selector: 'textarea', isReact: true, settleMs: SETTLE_MS });
    await awaitWorker(page);
  } finally {
    await browser.quit();
  }
  return profile;
}

/** Measures offline questions from a cold start, and a static page's swap of 100 rows beside them, at full speed and at a quarter. */
export async function offlineAnswersBench(workspace: Workspace, checkout: string, rounds: number): Promise<string[]> {
  const certificate = createCertificate(workspace.folder('certificate'));
  const { pin } = certificate;
  const reference = await servePage(tapPage(), certificate);
  const { app, server } = await serveApp(workspace, certificate, checkout);
  try {
    const profile = await prepare(workspace, certificate, app);
    const lines: string[] = [];
    for (const slowdown of [1, 4]) {
      const [fromSend, fromStart, swaps]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < rounds; round++) {
        const browser = await startChromium(workspace, { profile: copyProfile(workspace, profile), pin, offline: true });
        try {
          const asked = await askOffline(await slowTab(browser, slowdown), app.url);
          fromSend.push(asked.fromSend);
          fromStart.push(asked.fromStart);
        } finally {
          await browser.quit();
        }
        swaps.push(await swap(workspace, pin, `${reference.url}/`, slowdown));
      }
      const [send, start, least] = [median(fromSend), median(fromStart), median(swaps)];
      lines.push(
        `Offline question after a cold start, processor ÷ ${slowdown}: ${send.toFixed(0)} ms from Send, ${(send / least).toFixed(2)} × a swap of ` +
          `100 rows; ${start.toFixed(0)} ms from the start of the navigation, ${(start / least).toFixed(2)} ×`,
      );
    }
    return lines;
  } finally {
    await app.stop();
    server.close();
    reference.close();
  }
}

async function swap(workspace: Workspace, pin: string, url: string, slowdown: number): Promise<number> {
  const browser = await startChromium(workspace, { profile: workspace.folder('reference'), pin });
  try {
    const page = await slowTab(browser, slowdown);
    await open(page, url, 'td');
    return median((await take(page, [SWAP, SWAP_BACK, SWAP])).map(({ next }) => next));
  } finally {
    await browser.quit();
  }
}
