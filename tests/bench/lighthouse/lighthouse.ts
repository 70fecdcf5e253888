import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npmScript } from '#tools/install.mjs';
import { copyProfile, startChromium } from '../browser/chromium-process.ts';
import { type AppProfiles, createAppProfiles } from '../first-screen/app-profiles.ts';
import { serveApp } from '../first-screen/first-screen.ts';
import { createCertificate } from '../pages/certificate.ts';
import type { Workspace } from '../workspace.ts';
import { type Report, readReport } from './read-report.ts';

/** Not a dependency: npm runs it from its cache, outside of the project. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
/** The longest audit of a page, ms. */
const AUDIT_TIMEOUT_MS = 180_000;

interface Options {
  workspace: Workspace;
  checkout: string;
  onPage: (text: string) => void;
}

interface Page {
  path: string;
  /** Profile to copy; a new one without it. */
  profile?: string;
}

const pagesOf = ({ cold, onboarded, chat }: AppProfiles): Page[] => [
  { path: '/' },
  { path: '/sign-up', profile: onboarded },
  { path: '/login', profile: onboarded },
  { path: '/crypto', profile: cold },
  { path: '/crypto/details/1', profile: cold },
  { path: chat, profile: cold },
];

/** Runs Lighthouse in an empty folder. */
async function runLighthouse(args: readonly string[], cwd: string, workspace: Workspace): Promise<void> {
  const script = npmScript();
  const [command, ...before] = script ? [process.execPath, script] : ['npm'];
  const all = [...before, 'exec', '--yes', '--', LIGHTHOUSE, ...args];
  const child = spawn(command as string, all, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: AUDIT_TIMEOUT_MS });
  workspace.own(() => (child.exitCode === null && child.signalCode === null ? child.pid : undefined));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Lighthouse failed with code ${code}:\n${errors}`);
}

/** Runs Lighthouse's mobile audit on the main screens. A failed page has no report and stops nothing. */
export async function measureLighthouse({ workspace, checkout, onPage }: Options): Promise<{ reports: Report[]; failures: string[] }> {
  const certificate = createCertificate(workspace.folder('certificate'));
  const { app, server } = await serveApp(workspace, certificate, checkout);
  const { pin } = certificate;
  try {
    onPage('Lighthouse: signing up');
    const profiles = await createAppProfiles({ workspace, app, pin });
    const [reports, failures]: [Report[], string[]] = [[], []];
    for (const { path, profile } of pagesOf(profiles)) {
      const name = path === profiles.chat ? 'a chat' : path;
      onPage(`Lighthouse: ${name}`);
      const copy = profile ? copyProfile(workspace, profile) : workspace.folder('profile');
      const browser = await startChromium(workspace, { profile: copy, pin, port: true });
      try {
        const folder = workspace.folder('lighthouse');
        const file = join(folder, 'report.json');
        const output = ['--output=json', `--output-path=${file}`, '--quiet', `--port=${await browser.debuggingPort()}`];
        await runLighthouse([app.url + path, ...output], folder, workspace);
        reports.push({ page: name, ...readReport(readFileSync(file, 'utf8')) });
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
      } finally {
        await browser.quit();
        rmSync(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    }
    return { reports, failures };
  } finally {
    await app.stop();
    server.close();
  }
}
