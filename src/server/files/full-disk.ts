import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';

/** Codes of a disk without room, of a spent quota, and of a file that is larger than the process may write. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** PostgreSQL's code for its own full disk. */
const DATABASE_FULL = '53100';
/** Causes of an error that are read. */
const MAX_CAUSES = 5;
/** Bytes of the file that shows whether there is room: those of one of PostgreSQL's log files, which it fills before it uses them. */
const PROBE = 2 ** 24;

/**
 * Returns a full disk as the reason why a start failed, or else the error. PGlite does not say why it stops, so a file is written to see
 * whether `dataDir` has room.
 */
export function explainFullDisk(error: unknown, dataDir: string): unknown {
  if (error instanceof StartupError) return error;
  const code = findCode(error) ?? probe(dataDir);
  if (code === undefined) return error;
  if (code === DATABASE_FULL) return new StartupError('The database has no room left on its disk. Make room, then start again.');
  return new StartupError(`DATA_DIR: no room left to write to ${dataDir} (${code}). Make room, then start again.`);
}

/** Returns the code of a full disk from an error or its causes. */
function findCode(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== undefined && (FULL.has(code) || code === DATABASE_FULL)) return code;
    cause = cause.cause;
  }
  return undefined;
}

function probe(dataDir: string): string | undefined {
  const file = path.join(dataDir, `.room-${process.pid}`);
  try {
    fs.writeFileSync(file, Buffer.alloc(PROBE), { flush: true });
    return undefined;
  } catch (error) {
    return findCode(error);
  } finally {
    fs.rmSync(file, { force: true });
  }
}
