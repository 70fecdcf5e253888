import { type Browser, expect, type Page, type Route } from '@playwright/test';
import { signedIn } from '../support/accounts/signed-in.ts';
import type { RunningApp } from '../support/processes/app.ts';
import { tellHostileThings } from './hostile.ts';
import { ada, bare, hostile, newcomer } from './people.ts';
import type { DeviceName, Scene } from './scenes.ts';
import { seed } from './seed.ts';

/** Behavior of the API in a scene: pending, failing or offline. */
export type Answers = 'held' | 'refused' | 'unreachable';

/** A browser with one page, in which the scenes are shown. */
export interface Device {
  page: Page;
  show(scene: Scene): Promise<void>;
  close(): Promise<void>;
}

/** Time for a page to show its data, ms. */
const SHOWING = 600;
/** Time after which a loading skeleton counts as the final state, ms. */
const ARRIVING = 5000;
/** Time limit for any step, ms. */
const STEP_TIMEOUT_MS = 60_000;
/** Duration of the splash, ms. */
const SPLASH = 2600;
/** Calls that are answered even in pending and failing scenes: session and server facts. */
const ALWAYS = /\/api\/(auth\/(login|register|verify|refresh|user)|config)/;

/** Waits until the page's requests are answered. */
async function settle(page: Page, patience: number): Promise<void> {
  await page.waitForTimeout(SHOWING);
  const outlines = page.locator('[class*=_skeleton_], [class*=_spinner_]').filter({ visible: true });
  await expect(outlines)
    .toHaveCount(0, { timeout: patience })
    .catch(() => undefined);
}

/** Prepares each kind of device. */
const preparations: Record<DeviceName, (page: Page, app: RunningApp) => Promise<unknown>> = {
  /** First visit; the splash stays. */
  arriving: (page) =>
    page.addInitScript((splash) => {
      const wait = globalThis.setTimeout;
      Object.assign(globalThis, { setTimeout: (run: () => void, ms?: number) => (ms === splash ? 0 : wait(run, ms)) });
    }, SPLASH),
  visiting: async () => undefined,
  /** Signed in to an empty account. */
  new: (page, app) => signedIn(page, app, newcomer),
  /** Signed in, without cached data. */
  bare: async (page, app) => {
    await page.context().route(/\/api\//, (route) => (ALWAYS.test(route.request().url()) ? route.fallback() : undefined));
    await signedIn(page, app, bare);
  },
  /** Signed in, with cached data. */
  used: async (page, app) => {
    await signedIn(page, app, ada);
    await seed(app, ada);
  },
  /** Gets the longest and oddest texts that the contract allows. */
  hostile: async (page, app) => {
    await tellHostileThings(page.context());
    await signedIn(page, app, hostile);
  },
};

/** Opens the browser of a device and prepares it for its scenes. */
export async function openDevice(browser: Browser, app: RunningApp, name: DeviceName): Promise<Device> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'en-US',
    timezoneId: 'UTC',
    baseURL: app.url,
  });
  // Block all other hosts, so that shots do not depend on the network.
  await context.route(/^https:/, (route) => route.abort());
  let answers: Answers | undefined;
  const answer = (route: Route) => {
    if (answers === undefined || ALWAYS.test(route.request().url())) return route.fallback();
    if (answers === 'refused') return route.fulfill({ status: 500, json: { error: 'internal', message: 'Something went wrong.' } });
    return answers === 'unreachable' ? route.abort() : undefined;
  };
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const page = await context.newPage();
  await preparations[name](page, app);
  await context.route(/\/api\//, answer);

  return {
    page,
    async show(scene) {
      answers = scene.answers;
      await context.setOffline(scene.offline ?? false);
      await page.setViewportSize({ width: 390, height: 844 });
      if (!scene.stays) {
        await page.goto(scene.at ?? scene.route, { waitUntil: 'commit' });
        await page.locator('main').waitFor({ state: 'attached' });
      }
      const patience = scene.answers === 'held' ? SHOWING : ARRIVING;
      await settle(page, patience);
      if (!scene.act) return;
      await scene.act(page, app);
      await settle(page, patience);
    },
    async close() {
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    },
  };
}
