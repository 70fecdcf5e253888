import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A tab of a browser of any engine. */
export interface EngineTab {
  open(url: string): Promise<void>;
  /** Runs a function in the page and awaits its result. Arguments and result must be JSON. */
  run<Arguments extends unknown[], Answer>(script: (...args: Arguments) => Answer | Promise<Answer>, ...args: Arguments): Promise<Answer>;
}

/** A browser without Background Sync, on its own profile. */
export interface EngineBrowser {
  tab(): Promise<EngineTab>;
  /** Kills all its processes at once, like an empty battery would. Does nothing the second time. */
  kill(): Promise<void>;
}

export interface Engine {
  name: string;
  /** The packages to install, if the engine is missing. */
  missing: string | undefined;
  start(profile: string): Promise<EngineBrowser>;
}

/** How long a driver may take to start, to open a page, or to run a script, ms. */
export const DRIVER_TIMEOUT = 120_000;

/** Kills a process that leads its own group, with the whole group. */
export async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(30_000) });
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
  await exited;
}
