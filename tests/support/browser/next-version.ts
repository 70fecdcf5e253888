import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Deployment {
  /** Address of the app, without a trailing slash. */
  url: string;
  /** Serves a changed service worker from here on, as after an upgrade. */
  deploy(): void;
  close(): void;
}

/** Starts a proxy to the app that can deploy a newer version. */
export async function nextVersion(appUrl: string): Promise<Deployment> {
  let version = 1;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const isWorker = incoming.url === '/sw.js';
    const headers = { ...incoming.headers };
    // Uncompressed, so that the proxy can append to the script.
    if (isWorker) for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name];
    const asked = request(`${appUrl}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      const { 'content-length': length, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, isWorker ? others : answer.headers);
      if (!isWorker) return void answer.pipe(outgoing);
      answer.on('end', () => outgoing.end(`\n// version ${version}, ${length} bytes\n`));
      answer.pipe(outgoing, { end: false });
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  };
  const door = createServer(pass).listen(0, '127.0.0.1');
  await new Promise((resolve) => door.once('listening', resolve));
  return {
    url: `http://localhost:${(door.address() as AddressInfo).port}`,
    deploy: () => {
      version += 1;
    },
    close: () => {
      door.close();
      door.closeAllConnections();
    },
  };
}
