import { readFileSync } from 'node:fs';
import { at } from './root.mjs';
import { run, runScript } from './run.mjs';

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
};

/** Whether node_modules holds exactly what package-lock.json asks for; npm's own record of the last install tells. */
function isInstalled() {
  const installed = packagesOf(at('node_modules/.package-lock.json'));
  if (!installed) return false;
  // Optional packages are those of other platforms.
  return Object.entries(packagesOf(at('package-lock.json'))).every(
    ([path, wanted]) => path === '' || (installed[path] ? installed[path].version === wanted.version : wanted.optional),
  );
}

/** Installs the locked packages when they are not all there. Needs the network only then. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  console.log('Installing packages (once, and when package-lock.json changes)…');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  await (npm?.endsWith('.js') ? runScript(npm, args, { quiet: true }) : run('npm', args, { quiet: true }));
}
