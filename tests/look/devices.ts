import { type Browser, expect, type Page, type Route } from '@playwright/test';
import { signedIn } from '../support/accounts/signed-in.ts';
import type { RunningApp } from '../support/processes/app.ts';
import { tellHostileThings } from './hostile.ts';
import { ada, bare, hostile, newcomer } from './people.ts';
import type { DeviceName, Scene } from './scenes.ts';
import { seed } from './seed.ts';

/** How the API answers a scene: not yet, with a failure, or not at all. */
export type Answers = 'held' | 'refused' | 'unreachable';

/** A browser of somebody, on whose one page the scenes are shown. */
export interface Device {
  page: Page;
  show(scene: Scene): Promise<void>;
  close(): Promise<void>;
}

/** Long enough for a page to show what it has, ms. */
const SHOWING = 600;
/** How long outlines may stay before they count as what there is to see, ms. */
const ARRIVING = 5000;
/** How long anything may take on a busy machine, ms. */
const PATIENCE = 60_000;
/** Of the splash (spec §2), ms. */
const SPLASH = 2600;
/** What still answers where the rest is held: a session, and what the app knows of the server. */
const ALWAYS = /\/api\/(auth\/(login|register|verify|refresh|user)|config)/;

/** Waits until what a page has asked for is there. */
async function settle(page: Page, patience: number): Promise<void> {
  await page.waitForTimeout(SHOWING);
  const outlines = page.locator('[class*=_skeleton_], [class*=_spinner_]').filter({ visible: true });
  await expect(outlines)
    .toHaveCount(0, { timeout: patience })
    .catch(() => undefined);
}

/** What makes a device the one that its name says. */
const preparations: Record<DeviceName, (page: Page, app: RunningApp) => Promise<unknown>> = {
  /** Sees the app for the first time; the splash stays. */
  arriving: (page) =>
    page.addInitScript((splash) => {
      const wait = globalThis.setTimeout;
      Object.assign(globalThis, { setTimeout: (run: () => void, ms?: number) => (ms === splash ? 0 : wait(run, ms)) });
    }, SPLASH),
  visiting: async () => undefined,
  /** Has an account and nothing in it. */
  new: (page, app) => signedIn(page, app, newcomer),
  /** Knows who it belongs to and nothing else. */
  bare: async (page, app) => {
    await page.context().route(/\/api\//, (route) => (ALWAYS.test(route.request().url()) ? route.fallback() : undefined));
    await signedIn(page, app, bare);
  },
  /** Has been in use for a while. */
  used: async (page, app) => {
    await signedIn(page, app, ada);
    await seed(app, ada);
  },
  /** Is told names and texts that are as long and odd as the contract allows. */
  hostile: async (page, app) => {
    await tellHostileThings(page.context());
    await signedIn(page, app, hostile);
  },
};

/** Opens the browser of a device and brings it to where its scenes begin. */
export async function openDevice(browser: Browser, app: RunningApp, name: DeviceName): Promise<Device> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'en-US',
    timezoneId: 'UTC',
    baseURL: app.url,
  });
  // Nobody of the world outside answers, whether there is a network or not.
  await context.route(/^https:/, (route) => route.abort());
  let answers: Answers | undefined;
  const answer = (route: Route) => {
    if (answers === undefined || ALWAYS.test(route.request().url())) return route.fallback();
    if (answers === 'refused') return route.fulfill({ status: 500, json: { error: 'internal', message: 'Something went wrong.' } });
    return answers === 'unreachable' ? route.abort() : undefined;
  };
  context.setDefaultTimeout(PATIENCE);
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
