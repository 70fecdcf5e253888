import net from 'node:net';
import { StartupError } from '../startup-error.ts';
import { type Command, type Outcome, outcome } from './protocol.ts';
import { pipeOf, placeOf, socketIn } from './socket-path.ts';

/** Error codes that mean no server listens. */
const NOT_LISTENING = new Set(['ENOENT', 'ECONNREFUSED']);

/** Returns whether a server listens at the address. */
export const reaches = async (address: string): Promise<boolean> => {
  const socket = await connect(address);
  socket?.destroy();
  return socket !== null;
};

/** Sends a command to the server that runs on this directory. Returns null when none runs. */
export async function sendCommand(dataDir: string, asked: Command): Promise<Outcome | null> {
  const pipe = pipeOf(dataDir);
  const place = pipe === null ? placeOf(dataDir) : null;
  const address = pipe ?? (place && socketIn(place.folder));
  const socket = address === null ? null : await connect(address).finally(() => place?.release());
  if (!socket) return null;
  socket.end(`${JSON.stringify(asked)}\n`);
  let read = '';
  try {
    for await (const chunk of socket.setEncoding('utf8')) read += chunk;
    return outcome.parse(JSON.parse(read));
  } catch {
    throw new StartupError('The server stopped before it answered.');
  }
}

function connect(address: string): Promise<net.Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address, () => {
      socket.off('error', failed);
      resolve(socket);
    });
    function failed(error: NodeJS.ErrnoException): void {
      if (NOT_LISTENING.has(error.code ?? '')) resolve(null);
      else reject(new StartupError(`Cannot connect to the running server (${error.code ?? error.message}).`));
    }
    socket.once('error', failed);
  });
}
