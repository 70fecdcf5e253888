import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { call, PASSWORD, register } from '../faults/api.ts';
import { arrived } from '../support/help/received-messages.ts';
import { type RunningApp, startApp } from '../support/processes/app.ts';
import type { Engine, EngineBrowser, EngineTab } from './engine.ts';
import { firefox } from './firefox.ts';
import { webkit } from './webkit.ts';

const PATIENCE = { timeout: 90_000, interval: 250 };
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** They take minutes: `npm run test:engines` asks for them, `npm test` does not. */
const isAsked = process.env.npm_lifecycle_event === 'test:engines';

let app: RunningApp;
let people = 0;
let profile: string;
let browser: EngineBrowser | undefined;

beforeAll(async () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../src/tools/build.mjs', import.meta.url))]);
  app = await startApp({ TRUST_PROXY: 'on' });
}, 300_000);
afterEach(async () => {
  await browser?.kill();
  browser = undefined;
  if (profile) rmSync(profile, { recursive: true, force: true });
  if (!app.pid) await app.start(); // for the next test, after one that failed
}, 120_000);
afterAll(() => app?.remove());

// What runs in the page must not use anything from outside of it.

/** Fills the fields with these labels as a user does, and presses the button. */
function fill(values: Record<string, string>, button: string) {
  for (const [name, value] of Object.entries(values)) {
    const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name);
    const field = label?.control as HTMLInputElement | HTMLTextAreaElement;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const buttons = [...document.querySelectorAll('button')];
  buttons.findLast(({ textContent }) => textContent === button)?.click();
}

function attach(picture: string) {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const chosen = new DataTransfer();
  for (const name of ['one.png', 'two.png', 'three.png']) chosen.items.add(new File([bytes], name, { type: 'image/png' }));
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no file field');
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** A draft is written down a moment later, or when the page is left: with this, then. */
function keepTyping() {
  const field = document.querySelector('textarea');
  if (!field) throw new Error('no field');
  setInterval(() => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, `${field.value}.`);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, 20);
}

const press = (name: string) => [...document.querySelectorAll('button')].findLast(({ textContent }) => textContent === name)?.click();
const count = (selector: string) => document.querySelectorAll(selector).length;
const pathname = () => location.pathname;
/** What the list says of each message, newest first. */
const states = () => [...document.querySelectorAll('article')].map((row) => row.querySelector('header > :last-child')?.textContent ?? '');

const isServedByWorker = () => navigator.serviceWorker.controller !== null;
const hasBackgroundSync = () => 'sync' in ServiceWorkerRegistration.prototype;

async function start(engine: Engine): Promise<EngineTab> {
  people += 1;
  profile = mkdtempSync(join(tmpdir(), 'tidemark-engine-'));
  const email = `engine-${people}@example.com`;
  await register(app, people, email);
  await call(app, people, '/auth/verify-otp/', { body: { email, recoveryCode: await app.readCode(email) } });
  browser = await engine.start(profile);
  const tab = await browser.tab();
  await skipOnboarding(tab);
  await tab.open(`${app.url}/login`);
  await vi.waitFor(async () => expect(await tab.run(count, 'form')).toBe(1), PATIENCE);
  await vi.waitFor(async () => expect(await tab.run(isServedByWorker)).toBe(true), PATIENCE);
  expect(await tab.run(hasBackgroundSync)).toBe(false);
  await tab.run(fill, { Email: email, Password: PASSWORD }, 'Log In');
  await vi.waitFor(async () => expect(await tab.run(pathname)).toBe('/home'), PATIENCE);
  return tab;
}

/** Waits for the page: left while it makes the device's database, it would leave that half made in WebKit. */
async function skipOnboarding(tab: EngineTab): Promise<void> {
  await tab.open(`${app.url}/onboarding/three`);
  await vi.waitFor(async () => expect(await tab.run(count, '#root > *')).toBeGreaterThan(0), PATIENCE);
  await tab.run(() => localStorage.setItem('onboarding-close', 'true'));
}

async function openHelp(tab: EngineTab): Promise<void> {
  await tab.open(`${app.url}/settings/help-center`);
  await vi.waitFor(async () => expect(await tab.run(count, 'details')).toBe(8), PATIENCE);
  expect(await tab.run(isServedByWorker)).toBe(true);
}

async function write(tab: EngineTab, text: string): Promise<void> {
  await tab.run(press, 'Contact Us');
  await vi.waitFor(async () => expect(await tab.run(count, 'dialog textarea')).toBe(1), PATIENCE);
  await tab.run(attach, PICTURE);
  await vi.waitFor(async () => expect(await tab.run(count, 'dialog li')).toBe(3), PATIENCE);
  await tab.run(fill, { Message: text }, 'Send');
  await vi.waitFor(async () => expect(await tab.run(count, 'dialog textarea')).toBe(0), PATIENCE);
}

const expectStates = (tab: EngineTab, wanted: string[]) => vi.waitFor(async () => expect(await tab.run(states)).toEqual(wanted), PATIENCE);

const texts = async () => (await arrived(app)).map(({ message, files }) => `${message}: ${files.length}`);

describe.each([firefox, webkit])('$name', (engine) => {
  const tryIn = test.skipIf(!isAsked || engine.missing !== undefined);
  const limits = { timeout: 600_000 };

  tryIn('a page that is left in the midst of its work leaves the next one its storage', limits, async () => {
    const tab = await start(engine);
    await tab.open(`${app.url}/chat`);
    await vi.waitFor(async () => expect(await tab.run(count, 'main textarea')).toBe(1), PATIENCE);
    await tab.run(keepTyping);
    await tab.open(`${app.url}/crypto`);
    await vi.waitFor(async () => expect(await tab.run(count, 'main a[href^="/crypto/"]')).toBeGreaterThan(10), PATIENCE);
  });

  tryIn('a message written without a connection is sent once there is one', limits, async () => {
    const tab = await start(engine);
    await openHelp(tab);
    await app.stop();
    await write(tab, `${engine.name} offline`);
    await expectStates(tab, ['Waiting']);
    await app.start();
    await expectStates(tab, ['Sent']);
    expect((await texts()).filter((text) => text.startsWith(engine.name))).toEqual([`${engine.name} offline: 3`]);
  });

  tryIn('two tabs send each message once', limits, async () => {
    const tab = await start(engine);
    await openHelp(tab);
    const other = await browser?.tab();
    if (!other) throw new Error('no second tab');
    await openHelp(other);
    await app.stop();
    await write(tab, `${engine.name} tab one`);
    await write(other, `${engine.name} tab two`);
    await expectStates(tab, ['Waiting', 'Waiting']);
    await app.start();
    await expectStates(tab, ['Sent', 'Sent']);
    await expectStates(other, ['Sent', 'Sent']);
    const sent = (await texts()).filter((text) => text.startsWith(`${engine.name} tab`));
    expect(sent.sort()).toEqual([`${engine.name} tab one: 3`, `${engine.name} tab two: 3`]);
  });

  tryIn('a browser killed with a message waiting sends it after its next start', limits, async () => {
    const tab = await start(engine);
    await openHelp(tab);
    await app.stop();
    await write(tab, `${engine.name} killed`);
    await expectStates(tab, ['Waiting']);
    await browser?.kill();
    await app.start();
    browser = await engine.start(profile);
    const next = await browser.tab();
    await skipOnboarding(next); // Firefox writes localStorage down seconds later: the kill was before that
    await openHelp(next);
    await expectStates(next, ['Sent']);
    expect((await texts()).filter((text) => text.startsWith(`${engine.name} killed`))).toEqual([`${engine.name} killed: 3`]);
  });
});
