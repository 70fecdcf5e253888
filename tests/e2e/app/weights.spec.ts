import { readFileSync, statSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { ROUTE_FILES, type RouteFiles } from '#domain/route-files.ts';
import { openAs } from '#tests/support/accounts/signed-in.ts';
import { CONTENT_TIMEOUT, firstRowAt, markFirstRow } from '#tests/support/browser/first-row.ts';
import { holdTimers } from '#tests/support/browser/held-timers.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { at } from '#tools/root.mjs';
import { test } from '../fixtures.ts';

/**
 * Bytes of brotli. `firstRow`: scripts that the browser requests before the first row of the market on a device without
 * data. The addresses: scripts that their HTML names.
 */
const LIMITS = {
  firstRow: 92_600,
  '/crypto': 92_600,
  '/': 84_000,
  '/login': 114_000,
  '/sign-up': 114_000,
  worker: 15_000,
  // Of them the analyst that answers offline: 40 kB, loaded once a chat is open, and its six languages: 31 kB, each with its first question.
  total: 568_000,
};

/** Bytes of brotli of the scripts that take a stored screen over, beside the main one: what its first render needs, and Dexie. */
const TAKE_OVER_LIMITS = {
  '/crypto': 42_000,
  '/home': 58_700,
  '/archive': 105_400,
  '/crypto/watchlist': 60_800,
  '/settings/account': 58_400,
};

const read = (file: string) => readFileSync(at(`dist/client/${file}`), 'utf8');
/** Returns the weight of built files as the server sends them, in bytes of brotli. */
const weightOf = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + statSync(at(`dist/client${path}.br`)).size, 0);

/** Returns the paths of all scripts that the page has requested, and of those before the first row. */
const requested = async (page: Page) => {
  const row = await page.evaluate(firstRowAt);
  return page.evaluate((row) => {
    const entries = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
    const paths = (list: PerformanceEntry[]) => list.map(({ name }) => new URL(name).pathname);
    return { all: paths(entries), first: paths(entries.filter(({ startTime }) => startTime <= row)) };
  }, row);
};

test('on a device without data, the first row of the market needs at most 92.6 kB of scripts', async ({ page, app, reader }) => {
  await page.addInitScript(markFirstRow);
  await holdTimers(page, CONTENT_TIMEOUT);
  await openAs(page, app, reader, '/crypto');
  await expect(page.getByRole('list', { name: 'Coins' }).getByRole('link')).toHaveCount(100);
  const isDb = (path: string) => path.includes('/db-');
  await expect.poll(async () => (await requested(page)).all.filter(isDb)).toHaveLength(1);

  const { first } = await requested(page);
  expect(first.filter(isDb)).toEqual([]);
  expect(first.length).toBeGreaterThan(2);
  expect(weightOf(first)).toBeLessThanOrEqual(LIMITS.firstRow);
  // The answer is stored behind the row.
  await listStored(page);
});

/** Returns the scripts that the HTML of an address names. */
function scriptsOf(address: string): string[] {
  const routes: RouteFiles = JSON.parse(read(ROUTE_FILES));
  const files = routes.find(({ paths }) => paths.includes(address))?.files ?? [];
  return files.filter((file) => file.endsWith('.js'));
}

for (const address of ['/crypto', '/', '/login', '/sign-up'] as const) {
  test(`the scripts of ${address} weigh no more than their limit`, () => {
    expect(scriptsOf(address).length).toBeGreaterThan(2);
    expect(weightOf(scriptsOf(address))).toBeLessThan(LIMITS[address]);
  });
}

test('the next pages of a visitor load when the page is idle', async ({ page, app }) => {
  await page.goto(`${app.url}/onboarding/one`);
  const loads = (name: string) =>
    expect.poll(async () => (await requested(page)).all.filter((path) => new RegExp(`/${name}-.{7}\\.js$`).test(path))).toHaveLength(1);
  await loads('account');
  await loads('home-page');
});

for (const [address, limit] of Object.entries(TAKE_OVER_LIMITS)) {
  test(`the scripts that take the stored screen of ${address} over weigh no more than their limit`, () => {
    const [table = ''] = read('first-screen.js').match(new RegExp(`\\[[^\\]]*\`${address}\`[^\\]]*\\],files:\\[[^\\]]*\\]`)) ?? [];
    const files = [...table.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([file]) => file);
    expect(files.some((file) => file.includes('/db-'))).toBe(true);
    // Schemas come with the answers that they check.
    expect(files.filter((file) => /\/(answers|archives|schemas)-/.test(file))).toEqual([]);
    expect(weightOf(files)).toBeLessThan(limit);
  });
}

test('the first render of the market waits neither for Dexie nor for zod', () => {
  const awaited = scriptsOf('/crypto').flatMap((file) =>
    [...read(file.slice(1)).matchAll(/(?:from|import)"\.\/([\w.-]+)"/g)].map(([, name]) => name),
  );
  expect(awaited.some((name) => name?.startsWith('index-'))).toBe(true);
  expect(awaited.filter((name) => /^(?:db|answers)-/.test(name ?? ''))).toEqual([]);
});

test('the worker weighs less than 15 kB: the browser reads all of it before it answers the first navigation', () => {
  expect(weightOf(['/sw.js'])).toBeLessThan(LIMITS.worker);
});

test('all scripts that the worker caches weigh no more than their limit', () => {
  const scripts = new Set([...read('sw.js').matchAll(/assets\/[\w.-]+\.js/g)].map(([path]) => `/${path}`));
  expect(scripts.size).toBeGreaterThan(10);
  expect(weightOf(scripts)).toBeLessThan(LIMITS.total);
});
