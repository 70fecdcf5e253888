import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '#tools/root.mjs';

const FILE = 'tests/cluster/previous-release.json';
/** Beyond it, the update that is tested has little in common with the next one. */
const MOST_COMMITS = 200;

const git = (...args: string[]) => execFileSync('git', args, { cwd: at('.'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Returns whether the project's folder is a clone with all commits. */
function hasHistory(): boolean {
  try {
    // Within the folder of another repository, the first answer is not empty.
    return git('rev-parse', '--show-prefix', '--is-shallow-repository') === 'false';
  } catch {
    return false;
  }
}

test(`the update test begins with one of the last ${MOST_COMMITS} commits`, ({ skip }) => {
  if (!hasHistory()) skip('this is no git clone with all commits');
  const { commit } = JSON.parse(readFileSync(at(FILE), 'utf8')) as { commit: string };
  const recent = git('rev-list', `--max-count=${MOST_COMMITS}`, 'HEAD').split('\n');
  expect(recent.includes(commit), `${FILE} names ${commit}: write the newest commit of main there`).toBe(true);
});
