import { readFileSync, statSync } from 'node:fs';
import { expect } from '@playwright/test';
import { ROUTE_FILES, type RouteFiles } from '#domain/route-files.ts';
import { at } from '#tools/root.mjs';
import { test } from '../fixtures.ts';

/** Bytes of brotli. The goal for the first route is 100,000: the database library would have to load after the first row. */
const LIMITS = { firstRoute: 122_500, worker: 15_000, total: 400_000 };

const read = (file: string) => readFileSync(at(`dist/client/${file}`), 'utf8');
/** Returns the weight of built files as the server sends them, in bytes of brotli. */
const weightOf = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + statSync(at(`dist/client${path}.br`)).size, 0);

test('the scripts of the market, the first route, weigh no more than their limit', () => {
  const routes: RouteFiles = JSON.parse(read(ROUTE_FILES));
  const scripts = routes.find(({ paths }) => paths.includes('/crypto'))?.files.filter((file) => file.endsWith('.js')) ?? [];
  expect(scripts.length).toBeGreaterThan(2);
  expect(weightOf(scripts)).toBeLessThan(LIMITS.firstRoute);
});

test('the worker weighs less than 15 kB: the browser reads all of it before it answers the first navigation', () => {
  expect(weightOf(['/sw.js'])).toBeLessThan(LIMITS.worker);
});

test('all scripts that the worker caches weigh no more than their limit', () => {
  const scripts = new Set([...read('sw.js').matchAll(/assets\/[\w.-]+\.js/g)].map(([path]) => `/${path}`));
  expect(scripts.size).toBeGreaterThan(10);
  expect(weightOf(scripts)).toBeLessThan(LIMITS.total);
});
