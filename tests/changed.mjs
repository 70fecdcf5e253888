// `npm run test:changed [-- BASE]`: the tests that a diff against main (or BASE, or the commit before) touches.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureInstalled } from '../src/tools/install.mjs';
import { at, root } from '../src/tools/root.mjs';
import { roomsOf } from './changed-rooms.mjs';
import { runVitest } from './lanes.mjs';

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** The commit to compare with: where this branch left main, or the commit before on main itself. */
function findBase() {
  const [given] = process.argv.slice(2);
  if (given) return given;
  const main = ['main', 'origin/main'].find((name) => {
    try {
      return git('rev-parse', '--verify', '--quiet', name);
    } catch {
      return false;
    }
  });
  const base = main && git('merge-base', 'HEAD', main);
  return base && base !== git('rev-parse', 'HEAD') ? base : git('status', '--porcelain') ? 'HEAD' : 'HEAD~1';
}

await ensureInstalled();
const base = findBase();
const changed = new Set(
  [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')].flatMap((list) => list.split('\n')).filter(Boolean),
);
console.log(`${changed.size} files changed since ${base}`);

const rooms = [...changed].flatMap((path) => roomsOf(path) ?? []).map((room) => `tests/server/${room}`);
const here = [...changed].filter((path) => existsSync(at(path)));
const own = here.filter((path) => /^tests\/server\/.*\.test\.ts$/.test(path));
const serverTests = [...new Set([...rooms, ...own])];

const runs = [
  await runVitest('Unit tests that import a change', ['--project=unit', '--project=client', `--changed=${base}`, '--passWithNoTests']),
];
if (serverTests.length > 0) runs.push(await runVitest('Server tests beside a change', ['--project=server', ...serverTests]));
const specs = here.filter((path) => path.endsWith('.spec.ts'));
if (specs.length > 0) console.log(`Not run here: npm test -- ${specs.join(' ')}`);

const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
