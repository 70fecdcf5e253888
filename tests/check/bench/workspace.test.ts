import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { isNightly } from '#tests/support/nightly.ts';
import { at } from '#tools/root.mjs';

/** A run that opens a folder, starts a program that never ends, and then does `what`. */
const run = (what: string) => `
  const { spawn } = await import('node:child_process');
  const { loadTypeScript } = await import(${JSON.stringify(pathToFileURL(at('tests/support/processes/run-typescript.mjs')).href)});
  const { openWorkspace } = await loadTypeScript('tests/bench/workspace.ts');
  const workspace = openWorkspace();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  workspace.own(() => child.pid);
  workspace.own(() => undefined);
  console.log(JSON.stringify({ folder: workspace.folder('data'), pid: child.pid }));
  ${what}`;

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const WAIT = 'setInterval(() => {}, 1000);';
const ENDS: [reason: string, what: string, code: number][] = [['SIGTERM', WAIT, 143]];
if (isNightly) ENDS.push(['SIGINT', WAIT, 130], ['a failure', 'throw new Error("failed");', 1]);

test.each(ENDS)('%s ends the processes of a run and deletes its folders', async (reason, what, expected) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', run(what)], { cwd: at('.'), stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const { folder, pid } = JSON.parse(String(line));
  if (reason.startsWith('SIG')) child.kill(reason as NodeJS.Signals);
  expect((await ended)[0]).toBe(expected);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(existsSync(folder)).toBe(false);
});
