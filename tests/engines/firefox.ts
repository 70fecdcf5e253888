import { launch } from 'puppeteer-core';
import { findProgram } from '../support/processes/find-program.mjs';
import { DRIVER_TIMEOUT, type Engine, type EngineTab, killGroup } from './engine.ts';

const program = findProgram(['firefox-esr', 'firefox']);

/** Gecko, driven over WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: program ? undefined : 'firefox-esr',
  async start(profile) {
    if (!program) throw new Error('No Firefox found');
    const browser = await launch({
      browser: 'firefox',
      executablePath: program,
      userDataDir: profile,
      headless: true,
      timeout: DRIVER_TIMEOUT,
      protocolTimeout: DRIVER_TIMEOUT,
    });
    return {
      async tab(): Promise<EngineTab> {
        const page = await browser.newPage();
        return {
          open: async (url) => {
            await page.goto(url, { timeout: DRIVER_TIMEOUT });
          },
          run: (script, ...args) => page.evaluate(script as never, ...(args as unknown as never[])) as never,
        };
      },
      async kill() {
        const child = browser.process();
        if (child) await killGroup(child);
      },
    };
  },
};
