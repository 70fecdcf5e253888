import { defineConfig } from '@playwright/test';
import { isNightly } from '#tests/support/nightly.ts';
import { chromiumArgs, findChromium } from '../support/browser/chromium.mjs';
import { PHONE } from './sizes.ts';
import { isCluster } from './start-tested-app.ts';

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found: run `npm test`, which installs it, or set CHROMIUM.');

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  workers: 2,
  fullyParallel: true,
  grepInvert: [...(isNightly ? [] : [/@nightly/]), ...(isCluster ? [] : [/@cluster/])],
  retries: 0,
  // A safety net: each wait has its own shorter limit, whose message says what did not come.
  timeout: 300_000,
  expect: { timeout: 25_000 },
  reporter: 'list',
  preserveOutput: 'failures-only',
  use: {
    launchOptions: { executablePath, args: chromiumArgs },
    actionTimeout: 25_000,
    navigationTimeout: 30_000,
    colorScheme: 'dark',
    // Answers appear at once instead of a word each 100 ms. Tests of the typing ask for motion.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    ...PHONE,
  },
});
