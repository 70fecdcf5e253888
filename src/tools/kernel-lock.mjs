import { createHash } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { createServer } from 'node:net';

/** open(2) flag on macOS and the BSDs: lock the file exclusively or fail at once. Node does not export it. */
const O_EXLOCK = 0x20;

/**
 * Takes the lock of a name for this process. The kernel releases it when the process ends, so locks never become stale.
 * @param {string} name any text
 * @param {string} file is locked where the kernel has no names without files
 * @returns the function that releases the lock, or undefined when another process has it
 */
export async function takeLock(name, file) {
  const id = `tidemark-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return listenOn(`\0${id}`);
  if (process.platform === 'win32') return listenOn(`\\\\.\\pipe\\${id}`);
  return lockFile(file);
}

/** Listens on an abstract socket (Linux) or a named pipe (Windows): a name without a file, owned by one process. */
function listenOn(address) {
  const server = createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(address, () => {
      server.unref();
      resolve(() => new Promise((closed) => server.close(() => closed())));
    });
  });
}

function lockFile(file) {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
  try {
    const handle = openSync(file, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
    return async () => closeSync(handle);
  } catch (error) {
    if (error.code === 'EAGAIN') return undefined;
    throw error;
  }
}
