import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { at } from '#tools/root.mjs';

const PROGRAM = at('src/tools/operator.mjs');

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Builds the server that the admin CLI runs, if it changed. */
export const buildServer = () => promisify(execFile)(process.execPath, [at('src/tools/build.mjs'), 'server']);

/** Starts the admin CLI as npm does. `said` resolves when it ends. `program`: of another version. */
export function startOperator(
  args: readonly string[],
  env: Record<string, string>,
  program = PROGRAM,
): { child: ChildProcess; said: Promise<Said> } {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return { child, said: once(child, 'close').then(([code]) => ({ code, stdout, stderr })) };
}

export const runOperator = (args: readonly string[], env: Record<string, string>, program?: string): Promise<Said> =>
  startOperator(args, env, program).said;

/** Runs a command that must succeed without a word on stderr, and returns its rows. */
export async function operatorRows(
  args: readonly string[],
  env: Record<string, string>,
  program?: string,
): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runOperator([...args, '--json'], env, program);
  if (code !== 0 || stderr !== '') throw new Error(`operator ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}
