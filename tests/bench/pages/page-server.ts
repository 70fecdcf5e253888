import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { extname } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Files } from './build-pages.ts';
import type { Certificate } from './certificate.ts';

const TYPES: Record<string, string> = { '': 'text/html', '.js': 'text/javascript' };

export interface LocalServer {
  /** Address without a trailing slash. */
  url: string;
  /** Compressed size of each answer by path, in bytes. */
  sizes: ReadonlyMap<string, number>;
  close(): void;
}

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Starts an HTTP/2 server on a free port of this machine. `handle` records sizes, `prepare` adds listeners. */
export async function listen(
  { key, cert }: Certificate,
  sizes: ReadonlyMap<string, number>,
  handle: Handler,
  prepare: (server: Http2SecureServer) => void = () => {},
): Promise<LocalServer> {
  const server = createSecureServer({ key, cert, allowHTTP1: true }, handle);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  // A browser that quits breaks its connections off.
  server.on('sessionError', () => undefined).on('tlsClientError', () => undefined);
  prepare(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `https://localhost:${address.port}`,
    sizes,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Serves the files of a reference page, compressed ahead with brotli. */
export function servePage(files: Files, certificate: Certificate): Promise<LocalServer> {
  const packed = new Map([...files].map(([path, text]) => [path, brotliCompressSync(text)]));
  const sizes = new Map([...packed].map(([path, body]) => [path, body.length]));
  return listen(certificate, sizes, ({ url }, response) => {
    const path = new URL(url, 'https://localhost').pathname;
    const body = packed.get(path);
    if (!body) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end();
      return;
    }
    const headers = {
      'content-type': `${TYPES[extname(path)]}; charset=utf-8`,
      'content-encoding': 'br',
      'content-length': body.length,
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    response.writeHead(200, headers).end(body);
  });
}
