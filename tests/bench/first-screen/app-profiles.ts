import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '#tests/support/browser/chromium.mjs';
import { deleteUserData } from '#tests/support/browser/delete-user-data.ts';
import { ask, closeOnboarding, newPerson, signUp } from '#tests/support/browser/main-path.ts';
import type { RunningApp } from '#tests/support/processes/app.ts';
import { copyProfile, startChromium } from '../browser/chromium-process.ts';
import type { Session } from '../browser/devtools.ts';
import { awaitWorker, PHONE, visit } from '../browser/visit.ts';
import type { Workspace } from '../workspace.ts';
import { MESSAGE, type ScreenAddress, userScreens } from './screens.ts';

/** How long a page is left alone, so that it can store its screen, ms. */
const STORE_MS = 5_000;

export interface AppProfiles {
  /** A user whose device holds the app and the screens. */
  signedIn: string;
  /** The same user and session, without worker, caches and cached data. */
  cold: string;
  /** A visitor who finished the onboarding on a device without worker and caches. */
  onboarded: string;
  /** Path of the last conversation. */
  chat: string;
}

interface Parts {
  workspace: Workspace;
  /** The app, with the address of the proxy in front of it. */
  app: RunningApp;
  pin: string;
}

/** Creates the profiles of a new user. A session older than 15 minutes would add a token refresh to a cold visit. */
export async function createAppProfiles(parts: Parts): Promise<AppProfiles> {
  const { workspace, app } = parts;
  const visitor = workspace.folder('visitor');
  await inPlaywright(parts, visitor, async (context) => closeOnboarding(await context.newPage(), app.url));
  const { profile: signedIn, chat } = await createUser(parts);
  for (const screen of userScreens(app.url, chat)) await keepScreen(parts, signedIn, screen);
  return { signedIn, chat, cold: await copyCold(parts, signedIn), onboarded: await copyCold(parts, visitor) };
}

/** Signs a new user up, who asks one question. Returns the profile of the device, and the path of the conversation. */
export async function createUser(parts: Parts): Promise<{ profile: string; chat: string }> {
  const { workspace, app } = parts;
  const profile = workspace.folder('signed-in');
  const chat = await inPlaywright(parts, profile, async (context) => {
    const page = await context.newPage();
    await signUp(page, app, newPerson());
    await ask(page, app, 'How is Bitcoin doing?');
    await page.locator(MESSAGE).first().waitFor();
    await page.waitForLoadState('networkidle');
    return new URL(page.url()).pathname;
  });
  return { profile, chat };
}

/** Uses Playwright on a profile. Only before measuring: it attaches to the worker, which delays an offline start. */
async function inPlaywright<T>({ pin }: Parts, profile: string, use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const executablePath = findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath && { executablePath }),
    args: [...chromiumArgs, `--ignore-certificate-errors-spki-list=${pin}`],
    viewport: { width: PHONE.width, height: PHONE.height },
  });
  try {
    return await use(context);
  } finally {
    await context.close();
  }
}

/** Opens a screen as the measured phone does, and leaves it. */
async function keepScreen({ workspace, pin }: Parts, profile: string, { url, selector }: ScreenAddress) {
  const browser = await startChromium(workspace, { profile, pin });
  try {
    const page = await browser.page();
    await visit(page, { url, selector, isReact: true, settleMs: STORE_MS });
    await awaitWorker(page);
    await page.send('Page.navigate', { url: 'about:blank' });
    await pause(1_000);
  } finally {
    await browser.quit();
  }
}

/** Copies a profile and deletes everything but the device's database and its flags. */
async function copyCold({ workspace, app, pin }: Parts, from: string): Promise<string> {
  const profile = copyProfile(workspace, from);
  const browser = await startChromium(workspace, { profile, pin });
  try {
    const page = await browser.page();
    for (const domain of ['Page', 'Network']) await page.send(`${domain}.enable`);
    const storageTypes = 'service_workers,cache_storage';
    await page.send('Storage.clearDataForOrigin', { origin: app.url, storageTypes });
    await page.send('Network.clearBrowserCache');
    await deleteUserDatabases(page, app.url);
  } finally {
    await browser.quit();
  }
  return profile;
}

async function deleteUserDatabases(page: Session, url: string) {
  const loaded = new Promise<void>((resolve) => page.on('Page.loadEventFired', () => resolve()));
  await page.send('Page.navigate', { url: `${url}/robots.txt` });
  await loaded;
  await page.evaluate(`(${deleteUserData.toString()})()`);
}
