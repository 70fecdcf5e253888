import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from '#server/startup-error.ts';
import { takeLock } from '#tools/kernel-lock.mjs';

/** Locks the data directory for this process and returns the function that unlocks it. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const unlock = await takeLock(fs.realpathSync(directory), path.join(directory, 'lock'));
  if (!unlock) throw new StartupError(`DATA_DIR: ${directory} is already open in another Tidemark process.`);
  return unlock;
}
