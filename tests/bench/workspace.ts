import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

/** Folders and processes of one run. None of them outlives it: not after a failure, not after Ctrl-C. */
export interface Workspace {
  /** Creates an empty folder. */
  folder(name: string): string;
  /** Kills a process at the end of the run. `pid` returns undefined once it has ended. */
  own(pid: () => number | undefined): void;
  /** Kills what still runs and deletes the folders. */
  remove(): void;
}

export function openWorkspace(): Workspace {
  const root = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  const pids: (() => number | undefined)[] = [];
  let folders = 0;

  const stop = (signal: keyof typeof EXIT_CODES) => process.exit(EXIT_CODES[signal]);
  const remove = () => {
    process.off('exit', remove).off('SIGINT', stop).off('SIGTERM', stop);
    for (const pid of pids) kill(pid());
    // Children of a killed browser may still write for a moment.
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  process.on('exit', remove).on('SIGINT', stop).on('SIGTERM', stop);

  return {
    folder(name) {
      const path = join(root, `${++folders}-${name}`);
      mkdirSync(path);
      return path;
    },
    own: (pid) => pids.push(pid),
    remove,
  };
}

function kill(pid: number | undefined) {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
