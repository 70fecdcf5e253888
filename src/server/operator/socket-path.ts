import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const SOCKET_FILE = 'operator.sock';
/** Bytes that the address of a socket holds on every system, less those of the names put behind the folder's. */
const MOST_BYTES = 75;

/** A name of the data directory that is short enough for sockets in it. `release` it once they are bound or connected. */
export interface Place {
  folder: string;
  release(): void;
}

/** Null where the directory's name is too long and the system knows no other one. */
export function placeOf(dataDir: string): Place | null {
  if (Buffer.byteLength(dataDir) <= MOST_BYTES) return { folder: dataDir, release: () => undefined };
  if (process.platform !== 'linux') return null;
  const handle = fs.openSync(dataDir, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  return { folder: `/proc/self/fd/${handle}`, release: () => fs.closeSync(handle) };
}

/** Windows has no socket files with rights of their own; a pipe belongs to the account that opened it. */
export function pipeOf(dataDir: string): string | null {
  if (process.platform !== 'win32') return null;
  const digest = createHash('sha256').update(fs.realpathSync(dataDir)).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\tidemark-operator-${digest}`;
}

export const socketIn = (folder: string): string => path.join(folder, SOCKET_FILE);
