import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

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
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', PAPER_FEED: 'replay', ...env },
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
