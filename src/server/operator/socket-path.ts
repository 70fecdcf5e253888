import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const SOCKET_FILE = 'operator.sock';
/** Bytes of a folder's path that leave room for the socket's name: operating systems limit socket addresses. */
const MAX_BYTES = 75;

/** A path of the data directory that is short enough for a socket. Call `release` once the socket is bound or connected. */
export interface SocketFolder {
  folder: string;
  release(): void;
}

/** Returns null when the path is too long and the system offers no shorter one. */
export function placeOf(dataDir: string): SocketFolder | null {
  if (Buffer.byteLength(dataDir) <= MAX_BYTES) return { folder: dataDir, release: () => undefined };
  if (process.platform !== 'linux') return null;
  const handle = fs.openSync(dataDir, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  return { folder: `/proc/self/fd/${handle}`, release: () => fs.closeSync(handle) };
}

/** Returns the named pipe on Windows, where socket files have no permissions. */
export function pipeOf(dataDir: string): string | null {
  if (process.platform !== 'win32') return null;
  const digest = createHash('sha256').update(fs.realpathSync(dataDir)).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\tidemark-operator-${digest}`;
}

export const socketIn = (folder: string): string => path.join(folder, SOCKET_FILE);
