import { test as base } from '@playwright/test';
import { type RunningApp, startApp } from '../support/processes/app.ts';

/** Tests with a server of their worker's own: `app`. A test that stops the server starts it again. */
export const test = base.extend<{ baseURL: string }, { app: RunningApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from this pattern.
    async ({}, use) => {
      const app = await startApp();
      await use(app);
      await app.remove();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ app }, use) => use(app.url),
});
