// Runs before each client test file. The files of a worker share its process, and each has a page of its own.
import { afterAll } from 'vitest';
import { closePage, openPage } from './page.ts';

// Also closes the page of a file without a test to run, which has no `afterAll`.
await openPage();

// Hooks after all tests run in reverse order: this one is the last.
afterAll(async () => {
  const leaks = await closePage();
  if (leaks.length > 0) throw new Error(`This file leaves to the next one: ${leaks.join(', ')}. Undo it in afterEach.`);
});
