import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { findChromium } from '#tests/support/browser/chromium.mjs';
import type { Workspace } from '../workspace.ts';
import { connectDevTools, type Session } from './devtools.ts';

/** How long Chromium may take to end after it was told to, ms. */
const QUIT_MS = 8_000;

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--mute-audio',
  '--password-store=basic',
  '--disable-features=Translate,OptimizationHints,MediaRouter,SpareRendererForSitePerProcess',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
];
/** Sends every request to a port where nothing listens. */
const OFFLINE_ARGS = ['--proxy-server=http://127.0.0.1:9', '--proxy-bypass-list=<-loopback>'];

export interface Chromium {
  /** Opens a debugging session with the first tab. */
  page(): Promise<Session>;
  /** The TCP port for other DevTools clients, when `port` was set. */
  debuggingPort(): Promise<number>;
  /** Ends the browser and waits until its profile is written. */
  quit(): Promise<void>;
}

interface Options {
  /** Folder of the profile, which the browser changes. */
  profile: string;
  /** Hash of the public key to trust on top of the system's. */
  pin: string;
  offline?: boolean;
  port?: boolean;
}

/** Starts Chromium on a profile and talks to it over a pipe, so no debugging port is open. */
export async function startChromium(workspace: Workspace, { profile, pin, offline, port }: Options): Promise<Chromium> {
  const program = findChromium();
  if (!program) throw new Error('No Chromium found');
  const args = [
    ...ARGS,
    ...(offline ? OFFLINE_ARGS : []),
    ...(port ? ['--remote-debugging-port=0'] : []),
    '--remote-debugging-pipe',
    `--ignore-certificate-errors-spki-list=${pin}`,
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  workspace.own(() => (isRunning() ? child.pid : undefined));
  const [, , , input, output] = child.stdio;
  const sessionOf = connectDevTools(input as Writable, output as Readable);
  const browser = sessionOf();
  await browser.send('Browser.getVersion');

  return {
    async page() {
      const { targetInfos } = await browser.send<{ targetInfos: { type: string; targetId: string }[] }>('Target.getTargets');
      const tab = targetInfos.find(({ type }) => type === 'page');
      if (!tab) throw new Error('Chromium has no tab');
      const call = { targetId: tab.targetId, flatten: true };
      const { sessionId } = await browser.send<{ sessionId: string }>('Target.attachToTarget', call);
      return sessionOf(sessionId);
    },
    debuggingPort: () => readPort(join(profile, 'DevToolsActivePort')),
    async quit() {
      await Promise.race([browser.send('Browser.close').catch(() => undefined), ended, pause(QUIT_MS)]);
      await Promise.race([ended, pause(QUIT_MS)]);
      if (isRunning()) child.kill('SIGKILL');
      await ended;
    },
  };
}

async function readPort(file: string): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    if (existsSync(file)) return Number(readFileSync(file, 'utf8').split('\n')[0]);
    await pause(100);
  }
  throw new Error('Chromium did not open its debugging port within 10 s');
}

/** Copies a profile that no browser uses. */
export function copyProfile(workspace: Workspace, from: string): string {
  const copy = workspace.folder('profile');
  cpSync(from, copy, { recursive: true, filter: (path) => !/DevToolsActivePort|Singleton/.test(path) });
  return copy;
}
