import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from './chromium.mjs';

/** A Chromium with its own profile, which a test can kill as an empty battery would. */
export interface KillableBrowser {
  context: BrowserContext;
  /** Kills all processes of the browser and keeps the profile. */
  kill(): Promise<void>;
}

/** Starts Chromium on a profile folder. The same folder restores the state of the killed browser. */
export async function startBrowser(profile: string): Promise<KillableBrowser> {
  const program = findChromium();
  if (!program) throw new Error('No Chromium found');
  const args = [
    ...chromiumArgs,
    '--headless=new',
    '--remote-debugging-port=0',
    '--no-first-run',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const browser = await chromium.connectOverCDP(await addressOf(child));
  const [context] = browser.contexts();
  if (!context) throw new Error('Chromium has no context');
  return {
    context,
    async kill() {
      const ended = once(child, 'exit');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL'); // The negative id is the process group, renderers included.
      await ended;
      await browser.close();
    },
  };
}

/** Reads the debugging address from Chromium's output. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk;
      const [, address] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Chromium ended while starting:\n${said}`)));
  });
}
