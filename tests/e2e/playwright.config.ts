import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from '../support/browser/chromium.mjs';

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found: run `npm test`, which installs it, or set CHROMIUM.');

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  workers: 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  preserveOutput: 'failures-only',
  use: {
    launchOptions: { executablePath, args: chromiumArgs },
    colorScheme: 'dark',
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    // Layouts differ by width: only tests with this tag run a second time.
    { name: 'desktop', grep: /@every-size/, use: { viewport: { width: 1280, height: 800 } } },
  ],
});
