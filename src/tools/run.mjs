import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** SIGINT or SIGTERM stopped the command. */
export class Stopped extends Error {}

/**
 * Runs a command until it exits and passes SIGINT and SIGTERM on to it. `quiet` shows its output only when it fails.
 * @throws {Stopped} after a signal, another error after a non-zero exit code
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

/** Runs a script with the Node that runs this one. */
export const runScript = (script, args = [], options = {}) => run(process.execPath, [script, ...args], options);

/** Acts on the parent's death as on SIGTERM: npm's shell dies on SIGTERM without passing it on. */
export function stopWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0);
  }, 100);
  timer.unref();
}
