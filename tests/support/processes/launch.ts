import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeFlags } from '#tools/server-process.mjs';

/** How long a server may take to start, and to finish its work after SIGTERM, ms. */
const LIMIT_MS = 60_000;
const READY = /^Tidemark ready at (.+)$/m;

export interface Launched {
  child: ChildProcess;
  /** Resolves with the server's address, or with undefined if it ended before it was ready. */
  ready: Promise<string | undefined>;
  /** Resolves with the exit code and the output. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts a built server with these settings and no others. */
export function launch(program: string, env: Record<string, string>): Launched {
  const child = spawn(process.execPath, [...nodeFlags, program], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', PAPER_FEED: 'replay', MARKET: 'demo', ...env },
  });
  let stdout = '';
  let stderr = '';
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  const ready = new Promise<string | undefined>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const url = stdout.match(READY)?.[1];
      if (url) resolve(url);
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    void ended.then(() => resolve(undefined));
  });
  return { child, ready, ended };
}

/** A server that a test starts and ends repeatedly. */
export interface ServerProcess {
  readonly isRunning: boolean;
  /** Undefined while it is stopped. */
  readonly pid: number | undefined;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Ends it and returns its exit code; null after SIGKILL, which simulates a crash, and if it does not run. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Makes it accept requests and answer none, until it is thawed. A frozen server cannot end. */
  freeze(): void;
  /** Does nothing to a server that is not frozen or does not run. */
  thaw(): void;
}

/** Returns a server that is not started yet. Its program and `env` are read at each start. */
export function createServerProcess(program: string | (() => string), env: () => Record<string, string>): ServerProcess {
  let running: Launched | undefined;
  return {
    get isRunning() {
      return running !== undefined;
    },
    get pid() {
      return running?.child.pid;
    },
    async start() {
      running = launch(typeof program === 'string' ? program : program(), env());
      await untilReady(running);
    },
    async stop(signal) {
      if (!running) return null;
      const ending = running;
      running = undefined;
      return end(ending, signal);
    },
    freeze: () => void running?.child.kill('SIGSTOP'),
    thaw: () => void running?.child.kill('SIGCONT'),
  };
}

/** Waits until a server is ready. Throws with its output when it ends before, or takes too long; it is killed then. */
async function untilReady({ child, ready, ended }: Launched): Promise<void> {
  const { isLate, result } = await withLimit(child, ready);
  if (result !== undefined && !isLate) return;
  const { stdout, stderr } = await ended;
  const reason = isLate ? `was not ready within ${LIMIT_MS / 1000} s` : 'ended while starting';
  throw new Error(`The server ${reason}:\n${stdout}${stderr}`);
}

/** Ends a server and returns its exit code; null after SIGKILL. Throws when SIGTERM does not end it in time. */
async function end({ child, ended }: Launched, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
  child.kill(signal);
  const { isLate, result } = await withLimit(child, ended);
  if (isLate) throw new Error(`The server did not end within ${LIMIT_MS / 1000} s of ${signal}.`);
  return result.code;
}

/** Waits for a promise, and kills the process when that takes too long. */
async function withLimit<T>(child: ChildProcess, promise: Promise<T>): Promise<{ isLate: boolean; result: T }> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, LIMIT_MS);
  const result = await promise;
  clearTimeout(timer);
  return { isLate, result };
}
