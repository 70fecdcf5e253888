import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';

/** open(2) flag on macOS and the BSDs: lock the file exclusively or fail at once. Node does not export it. */
const O_EXLOCK = 0x20;

/**
 * Locks the data directory for this process and returns the function that unlocks it. The kernel releases the lock when
 * the process ends, so locks never become stale.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const taken = () => new StartupError(`DATA_DIR: ${directory} is already open in another Tidemark process.`);
  const name = `tidemark-${createHash('sha256').update(fs.realpathSync(directory)).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return listenOn(`\0${name}`, taken);
  if (process.platform === 'win32') return listenOn(`\\\\.\\pipe\\${name}`, taken);
  return lockFile(path.join(directory, 'lock'), taken);
}

/** Listens on an abstract socket (Linux) or a named pipe (Windows): a name without a file, owned by one process. */
function listenOn(address: string, taken: () => Error): Promise<() => Promise<void>> {
  const server = net.createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? taken() : error));
    server.listen(address, () => {
      server.unref();
      resolve(() => new Promise((closed) => server.close(() => closed())));
    });
  });
}

async function lockFile(file: string, taken: () => Error): Promise<() => Promise<void>> {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = fs.constants;
  try {
    const handle = fs.openSync(file, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
    return async () => fs.closeSync(handle);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EAGAIN' ? taken() : error;
  }
}
