import { once } from 'node:events';
import { launch } from 'puppeteer-core';
import { findProgram } from '../support/processes/find-program.mjs';
import type { Engine, EngineTab } from './engine.ts';

const program = findProgram(['firefox-esr', 'firefox']);

/** Gecko, driven over WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: program ? undefined : 'firefox-esr',
  async start(profile) {
    if (!program) throw new Error('No Firefox found');
    const browser = await launch({ browser: 'firefox', executablePath: program, userDataDir: profile, headless: true, timeout: 120_000 });
    const { pid } = browser.process() ?? {};
    return {
      async tab(): Promise<EngineTab> {
        const page = await browser.newPage();
        return {
          open: async (url) => {
            await page.goto(url, { timeout: 120_000 });
          },
          run: (script, ...args) => page.evaluate(script as never, ...(args as unknown as never[])) as never,
        };
      },
      async kill() {
        const child = browser.process();
        const ended = child && child.exitCode === null ? once(child, 'exit') : undefined;
        if (pid !== undefined) kill(pid);
        await ended;
      },
    };
  },
};

/** It starts as the head of its own group: content processes and all. */
function kill(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    process.kill(pid, 'SIGKILL');
  }
}
