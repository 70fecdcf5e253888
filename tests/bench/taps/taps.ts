import { copyProfile, startChromium } from '../browser/chromium-process.ts';
import { NO_NETWORK } from '../browser/visit.ts';
import { fillDevice } from '../fill-device.ts';
import { createUser } from '../first-screen/app-profiles.ts';
import { serveApp } from '../first-screen/first-screen.ts';
import { createCertificate } from '../pages/certificate.ts';
import { servePage } from '../pages/page-server.ts';
import { runRounds } from '../rounds.ts';
import { chatOf, conversationRows } from '../stored-chats.ts';
import type { Workspace } from '../workspace.ts';
import { open, slowTab, type TapSample, take } from './slow-tab.ts';
import { tapPage } from './tap-page.ts';
import { CHAT_STEPS, CHAT_TITLE, LIST, MARKET_STEPS, type Step } from './tap-steps.ts';

const CHAT = '6f1c2a52-95d5-4d0c-8a6f-000000000100';
const ARCHIVE = { id: CHAT, archive_title: CHAT_TITLE, created_at: '2026-01-01T00:00:00.000Z' };

/** Name of the reference page's step. */
export const REFERENCE = 'a static page swaps 100 prepared rows';
/** Swaps the rows of the reference page, and back. */
export const SWAP: Step = { name: REFERENCE, act: { tap: 'button' }, next: `shows('[data-next] td')` };
export const SWAP_BACK: Step = { name: REFERENCE, act: { tap: 'button' }, next: `!shows('[data-next] td')` };

export interface TapOptions {
  workspace: Workspace;
  rounds: number;
  /** No further round starts if the rounds would take longer, ms. */
  limit: number;
  /** Folder of a built checkout. */
  checkout: string;
  onStep: (text: string) => void;
}

/** Measures inputs at 4 times slowdown: through the app on a copy of a user's profile, and on the reference page. */
export async function measureTaps({
  workspace,
  rounds,
  limit,
  checkout,
  onStep,
}: TapOptions): Promise<{ samples: TapSample[]; rounds: number }> {
  const certificate = createCertificate(workspace.folder('certificate'));
  const { pin } = certificate;
  const reference = await servePage(tapPage(), certificate);
  const { app, server } = await serveApp(workspace, certificate, checkout);
  const samples: TapSample[] = [];
  try {
    const measured = await runRounds(rounds, limit, async (round) => {
      onStep(`round ${round} of ${rounds}: signing up`);
      const { profile } = await createUser({ workspace, app, pin });
      const browser = await startChromium(workspace, { profile: copyProfile(workspace, profile), pin });
      try {
        const page = await slowTab(browser);
        onStep(`round ${round} of ${rounds}: reference`);
        await open(page, `${reference.url}/`, 'td');
        samples.push(...(await take(page, [SWAP, SWAP_BACK, SWAP, SWAP_BACK])));
        onStep(`round ${round} of ${rounds}: market`);
        await open(page, `${app.url}/crypto`, LIST);
        samples.push(...(await take(page, MARKET_STEPS)));
        onStep(`round ${round} of ${rounds}: chat`);
        await open(page, `${app.url}/robots.txt`, 'body');
        await page.evaluate(`(${fillDevice.toString()})(${JSON.stringify(conversationRows([ARCHIVE], chatOf(CHAT, 100)))})`);
        // The server does not have the stored chat.
        await page.send('Network.emulateNetworkConditions', NO_NETWORK);
        await open(page, `${app.url}/archive`, 'a[href^="/chat/archive/"]');
        samples.push(...(await take(page, CHAT_STEPS)));
      } finally {
        await browser.quit();
      }
    });
    return { samples, rounds: measured };
  } finally {
    await app.stop();
    server.close();
    reference.close();
  }
}
