import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

/** The built file as the server sends it, in bytes of brotli. */
const weightOf = (file: string) => statSync(fileURLToPath(new URL(`../../../dist/client/${file}.br`, import.meta.url))).size;

test('the worker weighs less than 15 kB: the browser reads all of it before it answers the first navigation', () => {
  expect(weightOf('sw.js')).toBeLessThan(15_000);
});
