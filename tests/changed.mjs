// `npm run test:changed [-- BASE]`: the tests that a diff against main (or BASE, or the commit before) touches.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureInstalled } from '../src/tools/install.mjs';
import { at, root } from '../src/tools/root.mjs';
import { runVitest } from './lanes.mjs';

/** Which rooms of tests/server cover a path. Every server test imports the whole server, so imports cannot tell. */
const ROOMS = [
  [/accounts|session|profile|device|notification|export/, 'accounts'],
  [/chat|archive|analyst|pictures|budgets/, 'chat'],
  [/market|watchlist|indicator|chart-frame/, 'market'],
  [/\/bots|strategy|jobs/, 'bots'],
  [/exchange/, 'exchanges'],
  [/plans|subscription|payments|purchase/, 'plans'],
  [/contact|help/, 'help'],
  [/operator|server\/db|mail|config|main\.ts/, 'operator'],
  [/blob|upload/, 'blobs'],
  [/erasure/, 'erasure'],
  [/server\/http/, 'http'],
  [/realtime|socket/, 'sockets'],
];

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
const changed = [...git('diff', '--name-only', base).split('\n'), ...git('ls-files', '--others', '--exclude-standard').split('\n')].filter(
  (path) => path && existsSync(at(path)),
);
console.log(`${changed.length} files changed since ${base}`);

const server = changed.filter((path) => /^src\/(server|contract)\//.test(path));
const rooms = ROOMS.filter(([pattern]) => server.some((path) => pattern.test(path))).map(([, room]) => `tests/server/${room}/`);
const own = changed.filter((path) => /^tests\/server\/.*\.test\.ts$/.test(path));

const runs = [
  await runVitest('Unit tests that import a change', ['--project=unit', '--project=client', `--changed=${base}`, '--passWithNoTests']),
];
if (rooms.length + own.length > 0) runs.push(await runVitest('Server tests beside a change', ['--project=server', ...rooms, ...own]));
const specs = changed.filter((path) => path.endsWith('.spec.ts'));
if (specs.length > 0) console.log(`Not run here: npm test -- ${specs.join(' ')}`);

const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
