import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import type { VitePWAOptions } from 'vite-plugin-pwa';

/** File names of the outbox, for the precache to leave out: the browser stores scripts of a worker itself. */
export const OUTBOX_FILES = 'assets/outbox-*.js';

/** Builds sw/outbox.ts as a script of its own. Returns its URL, which has a content hash. */
async function buildOutbox(config: InlineConfig): Promise<string> {
  const output = { format: 'iife' as const, entryFileNames: OUTBOX_FILES.replace('*', '[hash]'), codeSplitting: false };
  const built = await build({
    ...config,
    build: { ...config.build, rolldownOptions: { input: 'sw/outbox.ts', output, checks: { emptyImportMeta: false } } },
  });
  if (!('output' in built)) throw new Error('The build of the outbox has no output.');
  return `/${built.output[0].fileName}`;
}

/** Builds sw/index.ts to /sw.js; by default the plugin would name the file after its source. */
export const workerBuild: NonNullable<VitePWAOptions['integration']> = {
  beforeBuildServiceWorker(options) {
    options.swDest = join(options.outDir, 'sw.js');
    options.injectManifest.swDest = options.swDest;
  },
  async configureCustomSWViteBuild(config) {
    const { rollupOptions, ...options } = config.build ?? {};
    config.logLevel = 'warn';
    config.build = options;
    config.define = { ...config.define, OUTBOX_URL: JSON.stringify(await buildOutbox(config)) };
    config.build = {
      ...options,
      rolldownOptions: { ...rollupOptions, output: { entryFileNames: 'sw.mjs', codeSplitting: false } },
    };
  },
};
