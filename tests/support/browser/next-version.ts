import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Deployment {
  /** The app's address, without a slash at the end. */
  url: string;
  /** Changes the worker's bytes, like an upgrade does. */
  deploy(): void;
  close(): void;
}

/** Starts a proxy in front of the app, which can serve a newer version of its service worker. */
export async function nextVersion(appUrl: string): Promise<Deployment> {
  let version = 1;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const isWorker = incoming.url === '/sw.js';
    const headers = { ...incoming.headers };
    // Uncompressed and never 304, so that a line can be appended.
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
  const proxy = createServer(pass).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    deploy: () => {
      version += 1;
    },
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
