import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isNightly } from '#tests/support/nightly.ts';
import { call, PASSWORD, register } from '../faults/api.ts';
import { type RunningApp, startApp } from '../support/processes/app.ts';
import type { Engine, EngineBrowser, EngineTab } from './engine.ts';
import { firefox } from './firefox.ts';
import { closeOnboarding, count, fill, hasBackgroundSync, isServedByWorker, pathname, words } from './in-page.ts';
import { webkit } from './webkit.ts';

/** How long an expectation may take on a busy machine. Its own message says what did not come. */
const POLL = { timeout: 60_000, interval: 250 };

/** These tests take minutes: `npm run test:engines` and `npm run nightly` run them, `npm test` does not. */
const isRequested = process.env.npm_lifecycle_event === 'test:engines' || isNightly;

/** What a test of an engine works with. */
export interface EngineSetup {
  readonly app: RunningApp;
  readonly engine: Engine;
  /** Starts the browser on a new profile and opens a tab. */
  start(): Promise<EngineTab>;
  /** Registers a user, starts the browser and logs the user in. */
  startSignedIn(): Promise<{ tab: EngineTab; email: string }>;
  tab(): Promise<EngineTab>;
  kill(): Promise<void>;
  /** Starts the browser again on the profile of the killed one. */
  restart(): Promise<EngineTab>;
}

/** Declares tests for Firefox and WebKitGTK, with one server and a browser per test. */
export function describeEngines(declare: (setup: EngineSetup, testEngine: (title: string, body: () => Promise<void>) => void) => void) {
  let app: RunningApp;
  let people = 0;
  let profile = '';
  let browser: EngineBrowser | undefined;

  beforeAll(async () => {
    if (!isRequested) return;
    execFileSync(process.execPath, [fileURLToPath(new URL('../../src/tools/build.mjs', import.meta.url))]);
    app = await startApp({ TRUST_PROXY: 'on' });
  }, 300_000);
  afterEach(async () => {
    await browser?.kill();
    browser = undefined;
    if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    if (app && !app.isRunning) await app.start(); // a failed test may have left it stopped
  });
  afterAll(() => app?.remove());

  describe.each([firefox, webkit])('$name', (engine) => {
    async function tab(): Promise<EngineTab> {
      if (!browser) throw new Error('the browser does not run');
      return browser.tab();
    }
    const setup: EngineSetup = {
      get app() {
        return app;
      },
      engine,
      async start() {
        profile = mkdtempSync(join(tmpdir(), 'tidemark-engine-'));
        browser = await engine.start(profile);
        return tab();
      },
      async startSignedIn() {
        people += 1;
        const email = `engine-${people}@example.com`;
        await register(app, people, email);
        await call(app, people, '/auth/verify-otp/', { body: { email, recoveryCode: await app.readCode(email) } });
        const first = await setup.start();
        await skipOnboarding(first, app);
        await first.open(`${app.url}/login`);
        await expectCount(first, 'form', 1);
        await expectRun(first, isServedByWorker, true);
        expect(await first.run(hasBackgroundSync)).toBe(false);
        await first.run(fill, { Email: email, Password: PASSWORD }, 'Log In');
        await expectRun(first, pathname, '/home');
        return { tab: first, email };
      },
      tab,
      async kill() {
        await browser?.kill();
        browser = undefined;
      },
      async restart() {
        browser = await engine.start(profile);
        const first = await tab();
        await skipOnboarding(first, app); // Firefox writes localStorage seconds later, so the kill lost it
        return first;
      },
    };
    const testHere = test.skipIf(!isRequested || engine.missing !== undefined);
    declare(setup, (title, body) => testHere(title, { timeout: 600_000 }, body));
  });
}

/** Waits for the page first: WebKit keeps a half-made database when a page is left while it creates one. */
async function skipOnboarding(tab: EngineTab, app: RunningApp): Promise<void> {
  await tab.open(`${app.url}/onboarding/three`);
  await vi.waitFor(async () => expect(await tab.run(count, '#root > *')).toBeGreaterThan(0), POLL);
  await tab.run(closeOnboarding);
}

/** Waits until a function in the page returns this. */
export const expectRun = <Answer>(tab: EngineTab, script: () => Answer | Promise<Answer>, wanted: Answer): Promise<void> =>
  vi.waitFor(async () => expect(await tab.run(script)).toEqual(wanted), POLL);

/** Waits until the page has this many elements of the selector. */
export const expectCount = (tab: EngineTab, selector: string, wanted: number): Promise<void> =>
  vi.waitFor(async () => expect({ selector, count: await tab.run(count, selector) }).toEqual({ selector, count: wanted }), POLL);

/** Waits until the page shows this text. */
export const expectText = (tab: EngineTab, text: string | RegExp): Promise<void> =>
  vi.waitFor(async () => expect(await tab.run(words)).toMatch(text), POLL);
