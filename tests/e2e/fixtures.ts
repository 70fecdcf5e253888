import { test as base } from '@playwright/test';
import { DAY, SECOND } from '#domain/clock.ts';
import { register } from '../support/accounts/signed-in.ts';
import { newPerson, type Person } from '../support/browser/main-path.ts';
import { type ModelServer, startModelServer } from '../support/chat/openai.ts';
import type { RunningApp } from '../support/processes/app.ts';
import { stayWithin } from '../support/stay-within.ts';
import { startTestedApp } from './start-tested-app.ts';

interface WorkerFixtures {
  /** Settings of `app`, as its environment has them. */
  settings: Record<string, string>;
  /** The worker's server. A test that stops it starts it again; after a failed test, Playwright makes a new worker. */
  app: RunningApp;
  /** A user of `app` for tests that only read: they share it and must not change anything of it. */
  reader: Person;
  /** A model that answers what the test scripts. */
  model: ModelServer;
  /** A second server, which asks `model`. */
  modelApp: RunningApp;
}

/** Tests with servers that live as long as their worker. None runs over midnight UTC, where budgets begin again. */
export const test = base.extend<{ baseURL: string; withinDay: undefined }, WorkerFixtures>({
  withinDay: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from this pattern.
    async ({}, use) => {
      await stayWithin(DAY, 120 * SECOND);
      await use(undefined);
    },
    { auto: true },
  ],
  settings: [{}, { scope: 'worker', option: true }],
  app: [
    async ({ settings }, use) => {
      const app = await startTestedApp(settings);
      await use(app);
      await app.remove();
    },
    { scope: 'worker' },
  ],
  reader: [
    async ({ app }, use) => {
      const person = newPerson();
      await register(app, person);
      await use(person);
    },
    { scope: 'worker' },
  ],
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from this pattern.
    async ({}, use) => {
      const model = await startModelServer();
      await use(model);
      await model.close();
    },
    { scope: 'worker' },
  ],
  modelApp: [
    async ({ model }, use) => {
      const app = await startTestedApp({ AI_BASE_URL: model.url, AI_MODEL: 'test', AI_API_KEY: 'not-to-be-told' });
      await use(app);
      await app.remove();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ app }, use) => use(app.url),
});
