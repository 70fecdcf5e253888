import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Certificate } from './certificate.ts';
import { type LocalServer, listen } from './page-server.ts';

/** Headers that belong to one connection. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

const endToEnd = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.has(name)));

/** Puts HTTP/2 and TLS in front of the app, as a production proxy does. `port` returns the app's port. */
export function proxyApp(certificate: Certificate, port: () => number): Promise<LocalServer> {
  const upstream = (incoming: Http2ServerRequest | IncomingMessage, host: string, headers: IncomingHttpHeaders) =>
    request({
      host: '127.0.0.1',
      port: port(),
      method: incoming.method,
      path: incoming.url,
      headers: { ...headers, host, 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' },
    });
  const sizes = new Map<string, number>();
  const hostOf = ({ headers }: Http2ServerRequest | IncomingMessage) => String(headers[':authority'] ?? headers.host);

  const forward = (incoming: Http2ServerRequest, response: Http2ServerResponse) => {
    const asking = upstream(incoming, hostOf(incoming), endToEnd(incoming.headers));
    asking.on('information', ({ statusCode, headers }) => {
      if (statusCode === 103 && headers.link && response.stream) response.stream.additionalHeaders({ ':status': 103, link: headers.link });
    });
    asking.on('response', (answer) => {
      const { pathname } = new URL(incoming.url, 'https://localhost');
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      answer.on('end', () => answer.statusCode === 200 && sizes.set(pathname, size));
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.pipe(response as unknown as NodeJS.WritableStream);
    });
    asking.on('error', () => response.headersSent || response.writeHead(502).end());
    response.on('close', () => asking.destroy());
    incoming.pipe(asking);
  };

  const forwardSockets = (server: Http2SecureServer) =>
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      const asking = upstream(incoming, hostOf(incoming), incoming.headers);
      asking.on('upgrade', ({ headers }, other: Duplex) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
        other.pipe(socket).pipe(other);
        other.on('error', () => socket.destroy()).on('close', () => socket.destroy());
        socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      });
      asking.on('response', () => socket.destroy()).on('error', () => socket.destroy());
      asking.end(head);
    });

  return listen(certificate, sizes, forward, forwardSockets);
}
