import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildFirstScript } from '#tools/build/first-script.ts';

it('the first script has at most 3 kB (brotli) and needs no other file', async () => {
  const code = await buildFirstScript();
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(3_000);
  expect(code).not.toMatch(/\bimport\b|\brequire\b/);
});
