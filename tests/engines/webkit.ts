import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../support/processes/find-program.mjs';
import { freePort } from '../support/processes/free-port.ts';
import { DRIVER_TIMEOUT, type Engine, type EngineTab, killGroup } from './engine.ts';

const driver = findProgram(['WebKitWebDriver']);
const display = findProgram(['xvfb-run']);
/** Runs under Debian's Python, which has the bindings. MiniBrowser would store nothing while it is driven. */
const browser = fileURLToPath(new URL('webkit-window.py', import.meta.url));
const bindings = [
  '/usr/lib/x86_64-linux-gnu/girepository-1.0/WebKit2-4.1.typelib',
  '/usr/lib/aarch64-linux-gnu/girepository-1.0/WebKit2-4.1.typelib',
];
const runsBrowser = existsSync('/usr/lib/python3/dist-packages/gi') && bindings.some((path) => existsSync(path));

const missing = [!driver && 'webkit2gtk-driver', !runsBrowser && 'python3-gi and gir1.2-webkit2-4.1', !display && 'xvfb']
  .filter(Boolean)
  .join(', ');

/** WebKitGTK, driven over WebDriver on a virtual display. */
export const webkit: Engine = {
  name: 'WebKitGTK',
  missing: missing || undefined,
  async start(profile) {
    if (!driver || !display) throw new Error('No WebKitGTK found');
    const port = await freePort();
    const env = { PATH: process.env.PATH, HOME: profile, XDG_RUNTIME_DIR: profile, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
    const child = spawn(display, ['-a', driver, `--port=${port}`], { env, stdio: 'ignore', detached: true });
    const request = caller(`http://127.0.0.1:${port}`);
    await ready(request, child);
    const options = { binary: browser, args: [profile] };
    const alwaysMatch = { 'webkitgtk:browserOptions': options, timeouts: { script: DRIVER_TIMEOUT, pageLoad: DRIVER_TIMEOUT } };
    const { sessionId } = (await request('POST', '/session', { capabilities: { alwaysMatch } })) as { sessionId: string };
    const inSession = (method: string, path: string, body?: object) => request(method, `/session/${sessionId}${path}`, body);
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
      kill: () => killGroup(child),
    };
  },
};

type Request = (method: string, path: string, body?: object) => Promise<unknown>;

/** Calls WebDriver: JSON over HTTP, with the result under `value`. */
const caller =
  (url: string): Request =>
  async (method, path, body) => {
    const signal = AbortSignal.timeout(DRIVER_TIMEOUT);
    const response = await fetch(`${url}${path}`, { method, signal, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver: ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };

async function ready(request: Request, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + DRIVER_TIMEOUT;
  while (child.exitCode === null && Date.now() < deadline) {
    const status = await request('GET', '/status').catch(() => undefined);
    if (status) return;
    await pause(50);
  }
  throw new Error('The WebDriver of WebKitGTK did not start');
}
