import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** The person at the keyboard, or a supervisor, wanted an end of it. */
export class Stopped extends Error {}

/**
 * Runs a command to its end. With `quiet`, its output is kept back and shown only when it fails.
 * Throws when it ends badly. SIGINT and SIGTERM are passed on to it, and end in `Stopped`.
 */
export async function run(command, args, { env = process.env, quiet = false } = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
  const output = [];
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));

  let stopped = false;
  const pass = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', (status) => resolve(status ?? 1)));
  process.off('SIGINT', pass).off('SIGTERM', pass);

  if (stopped) throw new Stopped('Stopped.');
  if (code !== 0) {
    process.stderr.write(Buffer.concat(output));
    throw new Error(`${[command, ...args].join(' ')} failed with code ${code}.`);
  }
}

/** Runs one of the project's own scripts with this very Node. */
export const runScript = (script, args = [], options = {}) => run(process.execPath, [script, ...args], options);
