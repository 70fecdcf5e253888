import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'tidemark-tests-';
/** More than all servers of a run use together. */
const ENOUGH_BYTES = 3e9;

/**
 * Creates the folder for the data of all test servers. It is in memory where there is room: waiting for the disk at each
 * commit makes the server tests several times slower.
 */
export function createDataFolder(): string {
  const parent = hasRoomInMemory() ? MEMORY : os.tmpdir();
  removeLeftovers(parent);
  const folder = fs.mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));
  // PostgreSQL runs as another user and has its data folder below this one.
  fs.chmodSync(folder, 0o711);
  return folder;
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Deletes the folders of runs that were killed. */
function removeLeftovers(parent: string): void {
  for (const name of fs.readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && !isRunning(pid)) fs.rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
