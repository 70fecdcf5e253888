import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../support/processes/find-program.mjs';
import { freePort } from '../support/processes/free-port.ts';
import type { Engine, EngineTab } from './engine.ts';

const driver = findProgram(['WebKitWebDriver']);
const display = findProgram(['xvfb-run']);
/** Under Debian's own Python, which has the bindings; MiniBrowser keeps nothing while it is driven. */
const browser = fileURLToPath(new URL('webkit-window.py', import.meta.url));
const bindings = [
  '/usr/lib/x86_64-linux-gnu/girepository-1.0/WebKit2-4.1.typelib',
  '/usr/lib/aarch64-linux-gnu/girepository-1.0/WebKit2-4.1.typelib',
];
const runsBrowser = existsSync('/usr/lib/python3/dist-packages/gi') && bindings.some((path) => existsSync(path));

const missing = [!driver && 'webkit2gtk-driver', !runsBrowser && 'python3-gi and gir1.2-webkit2-4.1', !display && 'xvfb']
  .filter(Boolean)
  .join(', ');

/** WebKitGTK, driven over WebDriver, on a display that nobody sees. */
export const webkit: Engine = {
  name: 'WebKitGTK',
  missing: missing || undefined,
  async start(profile) {
    if (!driver || !display) throw new Error('No WebKitGTK found');
    const port = await freePort();
    const env = { PATH: process.env.PATH, HOME: profile, XDG_RUNTIME_DIR: profile, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
    const child = spawn(display, ['-a', driver, `--port=${port}`], { env, stdio: 'ignore', detached: true });
    const ask = caller(`http://127.0.0.1:${port}`);
    await ready(ask, child);
    const options = { binary: browser, args: [profile] };
    const alwaysMatch = { 'webkitgtk:browserOptions': options, timeouts: { script: 120_000, pageLoad: 120_000 } };
    const { sessionId } = (await ask('POST', '/session', { capabilities: { alwaysMatch } })) as { sessionId: string };
    const inSession = (method: string, path: string, body?: object) => ask(method, `/session/${sessionId}${path}`, body);
    let first = true;
    return {
      async tab(): Promise<EngineTab> {
        const handle = first
          ? await inSession('GET', '/window')
          : ((await inSession('POST', '/window/new', { type: 'window' })) as { handle: string }).handle;
        first = false;
        const here = () => inSession('POST', '/window', { handle });
        return {
          async open(url) {
            await here();
            await inSession('POST', '/url', { url });
          },
          async run(script, ...args) {
            await here();
            return (await inSession('POST', '/execute/sync', { script: `return (${script})(...arguments)`, args })) as never;
          },
        };
      },
      async kill() {
        const ended = once(child, 'exit');
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
        await ended;
      },
    };
  },
};

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

/** WebDriver's way of speaking: JSON over HTTP, with what was asked for under `value`. */
const caller =
  (url: string): Ask =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver: ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };

async function ready(ask: Ask, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const status = await ask('GET', '/status').catch(() => undefined);
    if (status) return;
    await pause(50);
  }
  throw new Error('The WebDriver of WebKitGTK ended while starting');
}
