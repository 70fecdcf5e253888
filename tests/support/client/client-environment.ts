import type { Environment } from 'vitest/runtime';

/** Loads modules as for a browser. fresh-page.ts creates the window, because one environment serves many files. */
export default {
  name: 'client',
  viteEnvironment: 'client',
  setup: () => ({ teardown() {} }),
} satisfies Environment;
