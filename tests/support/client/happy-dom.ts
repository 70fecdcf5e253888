import { createRequire } from 'node:module';
import type * as HappyDom from 'happy-dom';
import { type Environment, populateGlobal } from 'vitest/runtime';

/** Globals of Node.js that the window replaces, like vitest's own environment does. */
const REPLACED = [
  'Request',
  'Response',
  'MessagePort',
  'fetch',
  'Headers',
  'AbortController',
  'AbortSignal',
  'URL',
  'URLSearchParams',
  'FormData',
];

/** The window of a test file, from the bundle of bundle-happy-dom.ts. */
export default {
  name: 'happy-dom',
  viteEnvironment: 'client',
  setup(global) {
    const { GlobalWindow }: typeof HappyDom = createRequire(import.meta.url)(process.env.HAPPY_DOM ?? 'happy-dom');
    const window = new GlobalWindow({
      console: global.console,
      url: 'http://localhost:3000',
      settings: { disableErrorCapturing: true },
    });
    const { keys, originals } = populateGlobal(global, window, { bindFunctions: true, additionalKeys: REPLACED });
    return {
      async teardown() {
        await window.happyDOM.abort();
        window.close();
        for (const key of keys) delete global[key];
        for (const [key, value] of originals) global[key] = value;
      },
    };
  },
} satisfies Environment;
