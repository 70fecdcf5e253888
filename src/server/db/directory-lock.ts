import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';

/** open(2) on macOS and the BSDs: take an exclusive lock with the file, or fail at once. Node has no name for it. */
const O_EXLOCK = 0x20;

/**
 * Takes the data directory for this process and returns how to let go. The lock lives in the kernel and ends with the
 * process, so there is never a stale one to clear away, and no way for two starters to clear it at once.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const taken = () => new StartupError(`DATA_DIR: ${directory} is already open in another Tidemark process.`);
  const name = `tidemark-${createHash('sha256').update(fs.realpathSync(directory)).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return listenOn(`\0${name}`, taken);
  if (process.platform === 'win32') return listenOn(`\\\\.\\pipe\\${name}`, taken);
  return lockFile(path.join(directory, 'lock'), taken);
}

/** An abstract socket (Linux) or a named pipe (Windows): a name without a file, held by one process. */
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
