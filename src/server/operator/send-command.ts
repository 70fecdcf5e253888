import net from 'node:net';
import { StartupError } from '../startup-error.ts';
import { type Command, type Outcome, outcome } from './protocol.ts';
import { pipeOf, placeOf, socketIn } from './socket-path.ts';

/** What these mean: nobody listens, or never has. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED']);

/** Whether somebody listens there. */
export const reaches = async (address: string): Promise<boolean> => {
  const socket = await connect(address);
  socket?.destroy();
  return socket !== null;
};

/** Asks the server that runs on this directory; null when none does. */
export async function askServer(dataDir: string, asked: Command): Promise<Outcome | null> {
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
    throw new StartupError('The server ended before it answered.');
  }
}

function connect(address: string): Promise<net.Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address, () => {
      socket.off('error', failed);
      resolve(socket);
    });
    function failed(error: NodeJS.ErrnoException): void {
      if (NOBODY.has(error.code ?? '')) resolve(null);
      else reject(new StartupError(`The running server cannot be asked (${error.code ?? error.message}).`));
    }
    socket.once('error', failed);
  });
}
