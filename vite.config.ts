/// <reference types="vitest/config" />
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { PRODUCT } from './src/domain/product.ts';
import { VISIT_HTML } from './src/domain/route-files.ts';
import { firstScreenScriptPlugin, firstScriptPlugin, SHARE_SCRIPT_FILE, shareScriptPlugin } from './src/tools/build/classic-scripts.ts';
import { type ClientChunk, earlyChunks, lateChunks, patternOf } from './src/tools/build/client-chunks.ts';
import { coinIconsPlugin } from './src/tools/build/coin-icons.ts';
import { firstScreenChunks } from './src/tools/build/first-screen-chunks.ts';
import { manifest } from './src/tools/build/manifest.ts';
import { routeFilesPlugin } from './src/tools/build/route-files.ts';
import { visitHtmlPlugin } from './src/tools/build/visit-html.ts';
import { OUTBOX_FILES, workerBuild } from './src/tools/build/worker-build.ts';

const path = (below: string) => fileURLToPath(new URL(below, import.meta.url));

/** Returns a short name for a CSS class. Vite's default adds line numbers, which make the scripts heavier. */
const scopedName = (name: string, file: string) =>
  `_${name}_${createHash('sha256')
    .update(relative(path('.'), file))
    .digest('base64url')
    .slice(0, 4)}`;

const groupsOf = (chunks: readonly ClientChunk[]) =>
  chunks.map(({ paths, except, packages, ...group }) => ({ ...group, test: patternOf({ paths, except, packages }) }));

/** Files of the worker's precache: only the app shell, because a single 404 aborts the installation. */
const precache = ['**/*.{html,js,css,woff2}', '*.svg'];

const isDev = process.env.npm_lifecycle_event === 'dev';

export default defineConfig({
  envDir: false,
  plugins: [
    react(),
    coinIconsPlugin(),
    firstScriptPlugin(),
    firstScreenScriptPlugin(),
    shareScriptPlugin(),
    routeFilesPlugin(),
    visitHtmlPlugin(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: isDev ? 'dev.ts' : 'index.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest: manifest(PRODUCT),
      includeManifestIcons: false,
      injectManifest: { globPatterns: precache, globIgnores: [OUTBOX_FILES, SHARE_SCRIPT_FILE, VISIT_HTML] },
      integration: workerBuild,
      devOptions: { enabled: isDev, type: 'module', suppressWarnings: true },
    }),
  ],
  resolve: {
    alias: [
      // Leaves out polyfills for what React and current browsers have.
      { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      { find: /^preact$/, replacement: path('./src/client/platform/router/preact.ts') },
      { find: /^preact\/hooks$/, replacement: path('./src/client/platform/router/preact-hooks.ts') },
    ],
  },
  optimizeDeps: { exclude: ['preact-router'] },
  css: {
    modules: { generateScopedName: scopedName },
    postcss: {
      plugins: [
        {
          // `composes … from` copies styles without their source, which Vite warns about.
          postcssPlugin: 'tidemark:sources-of-composed',
          OnceExit(root) {
            root.walkDecls((declaration) => {
              if (root.source) declaration.source ??= root.source;
            });
          },
        },
      ],
    },
  },
  build: {
    outDir: 'dist/client',
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // One stylesheet: a stored first screen would wait for each of several files.
    cssCodeSplit: false,
    reportCompressedSize: false,
    sourcemap: 'hidden',
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // Seven characters of hash instead of eight, the fewest that the bundler allows: the main script names 77 files, and hashes do not compress.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'core', tags: ['$initial'], priority: 2 },
            { name: 'fields', test: /node_modules\/(react-hook-form|@hookform)\//, priority: 1 },
            ...groupsOf(earlyChunks),
            ...firstScreenChunks(),
            ...groupsOf(lateChunks),
          ],
        },
      },
    },
  },
  test: {
    server: { deps: { inline: ['preact-router'] } },
    // One second, the default, is too short on a busy machine. The limit of the test is longer, so that a failed poll says
    // what did not come.
    expect: { poll: { timeout: 25_000 } },
    // No test may rely on the one before it. The run prints its seed: repeat the order with --sequence.seed.
    sequence: { shuffle: { files: true } },
    // A safety net: each wait has its own shorter limit, which says what did not come. On a machine under heavy load, the work of some takes a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['tests/support/wait-limits.ts', 'tests/support/stay-within-day.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'tests/check/**/*.test.ts'],
          exclude: ['tests/unit/client/**', 'tests/check/client/**'],
          environment: 'node',
          maxWorkers: 2,
          // These files share no state, and with isolation each would load the same modules again.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['tests/unit/client/**/*.test.{ts,tsx}', 'tests/sw/**/*.test.ts', 'tests/check/client/**/*.test.ts'],
          environment: './tests/support/client/client-environment.ts',
          // fresh-page.ts gives each file a page of its own, which takes half the time of a process of its own.
          isolate: false,
          // Load again for each file, because they keep state or listen to the window.
          server: { deps: { inline: ['dexie', 'swr', 'socket.io-client', 'workbox-window'] } },
          setupFiles: ['tests/support/client/fresh-page.ts', 'tests/support/client/client-setup.ts'],
          // Not threads: they share BroadcastChannels, so one file's tabs would hear those of another.
          pool: 'forks',
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['tests/support/server/database-template.ts'],
          isolate: false,
          // Two more than most machines' cores: these tests wait for timers, disks and processes half of the time.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ['tests/engines/**/*.test.ts'],
          environment: 'node',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['tests/cluster/**/*.test.ts'],
          environment: 'node',
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
