import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from './chromium.mjs';

/** Chromium on a profile of its own, which a test may kill as an empty battery would. */
export interface KillableBrowser {
  context: BrowserContext;
  /** Ends all its processes at once; the profile stays as it is. */
  kill(): Promise<void>;
}

/** Starts it on a profile folder: the same folder again goes on where the last one was killed. */
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
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL'); // its group: renderers and all
      await ended;
      await browser.close();
    },
  };
}

/** Where it listens, from the line in which it says so. */
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
