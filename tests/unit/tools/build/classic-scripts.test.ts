import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildClassicScript, FIRST_SCREEN_SCRIPT, FIRST_SCRIPT } from '#tools/build/classic-scripts.ts';

// Limits are bytes of brotli. The build adds a table of the pages' scripts to the second, of about 400 bytes.
it.each([
  ['first script', FIRST_SCRIPT, 3_000],
  ['script of stored first screens', FIRST_SCREEN_SCRIPT, 1_380],
])('the %s stays below its limit and needs no other file', async (_name, entry, limit) => {
  const code = await buildClassicScript(entry);
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(limit);
  expect(code).not.toMatch(/\bimport\b|\brequire\b|\bexport\b/);
});
