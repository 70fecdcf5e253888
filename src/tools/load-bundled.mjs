import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at } from './root.mjs';

/** Bundles one TypeScript file with our own modules and imports it. Takes about 0.1 s. */
export async function loadBundled(file) {
  const { build } = await import('esbuild');
  // Inside node_modules, so that imports of packages resolve.
  const folder = await mkdtemp(at('node_modules/.bundled-'));
  try {
    const outfile = join(folder, 'bundle.mjs');
    await build({
      absWorkingDir: at('.'),
      entryPoints: [file],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
