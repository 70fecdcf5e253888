import { readFileSync } from 'node:fs';
import { win32 } from 'node:path';
import { alone } from './alone.mjs';
import { at } from './root.mjs';
import { run, runScript } from './run.mjs';

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
};

/** Compares package-lock.json with npm's record of the last install. */
function isInstalled() {
  const installed = packagesOf(at('node_modules/.package-lock.json'));
  if (!installed) return false;
  // npm leaves out optional packages of other platforms.
  return Object.entries(packagesOf(at('package-lock.json'))).every(
    ([path, wanted]) => path === '' || (installed[path] ? installed[path].version === wanted.version : wanted.optional),
  );
}

/** Returns npm's own script, which Node can run: Windows can't start `npm` without a shell. Undefined where `npm` is a program. */
export function npmScript({ env = process.env, platform = process.platform, execPath = process.execPath } = {}) {
  if (env.npm_execpath?.endsWith('.js')) return env.npm_execpath;
  return platform === 'win32' ? win32.join(win32.dirname(execPath), 'node_modules/npm/bin/npm-cli.js') : undefined;
}

/** Installs the locked packages when one is missing. Needs the network only then. */
export async function ensureInstalled() {
  if (!isInstalled()) await alone(install);
}

async function install() {
  if (isInstalled()) return; // by another process meanwhile
  console.log('Installing packages (once, and when package-lock.json changes)…');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const script = npmScript();
  await (script ? runScript(script, args, { quiet: true }) : run('npm', args, { quiet: true }));
}
