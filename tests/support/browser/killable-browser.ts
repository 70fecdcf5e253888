import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from './chromium.mjs';

/** How long Chromium may take to start, and to die, ms. */
const LIMIT_MS = 30_000;

/** Chromium on its own profile, which a test can kill like an empty battery would. */
export interface KillableBrowser {
  context: BrowserContext;
  /** Kills all its processes at once; the profile stays as it is. Does nothing the second time. */
  kill(): Promise<void>;
}

/** Starts Chromium on a profile folder: the same folder again continues where the last browser was killed. */
export async function startBrowser(profile: string): Promise<KillableBrowser> {
  const program = findChromium();
  if (!program) throw new Error('No Chromium found');
  const args = [
    ...chromiumArgs,
    '--headless=new',
    '--remote-debugging-port=0',
    '--no-first-run',
    // As Playwright starts it.
    '--disable-back-forward-cache',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  // Heard from the start: a browser that crashes before `kill` has no exit left to wait for.
  const exited = once(child, 'exit');
  const killGroup = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await inTime(exited, 'Chromium did not die after SIGKILL');
  };
  try {
    const address = await inTime(addressOf(child), 'Chromium did not name its debugging address');
    const browser = await chromium.connectOverCDP(address, { timeout: LIMIT_MS });
    const [context] = browser.contexts();
    if (!context) throw new Error('Chromium has no context');
    return {
      context,
      async kill() {
        await killGroup();
        await inTime(browser.close(), 'Playwright did not let go of the killed Chromium');
      },
    };
  } catch (error) {
    await killGroup();
    throw error;
  }
}

/** Rejects with `message` when `work` takes longer than LIMIT_MS. */
async function inTime<T>(work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} within ${LIMIT_MS / 1000} s.`)), LIMIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the debugging address from the line in which Chromium prints it. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk;
      const [, address] = /DevTools listening on (ws:\S+)/.exec(printed) ?? [];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Chromium ended while starting:\n${printed}`)));
  });
}
