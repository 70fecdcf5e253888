import { existsSync } from 'node:fs';

/** Makes glibc return freed memory to the system, which it reads only when a process starts. Other systems ignore it. */
export const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Node 24 lets short-lived objects fill 64 MB twice before it collects them; this is the 16 MB of Node 20 and 22. */
export const nodeFlags = ['--max-semi-space-size=16'];

/**
 * Returns the command that runs `program` without core files, because memory may hold an exchange key.
 * Without a POSIX shell, as on Windows, it returns `program` itself.
 */
export function withoutCoreFiles(program, args, { platform = process.platform, shell = '/bin/sh' } = {}) {
  if (platform === 'win32' || !existsSync(shell)) return { command: program, args };
  return { command: shell, args: ['-c', 'ulimit -c 0; exec "$0" "$@"', program, ...args] };
}
