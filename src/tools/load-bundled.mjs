import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at } from './root.mjs';

/** The exports of one of the project's TypeScript files, with what it imports of ours in one file. Takes a tenth of a second. */
export async function loadBundled(file) {
  const { build } = await import('esbuild');
  // Inside of node_modules, where packages are found from.
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
