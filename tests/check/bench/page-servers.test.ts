import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders as Http2Headers } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proxyApp } from '#tests/bench/pages/app-proxy.ts';
import { buildPages } from '#tests/bench/pages/build-pages.ts';
import { type Certificate, createCertificate } from '#tests/bench/pages/certificate.ts';
import { type LocalServer, servePage } from '#tests/bench/pages/page-server.ts';

let folder: string;
let certificate: Certificate;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-certificate-'));
  certificate = createCertificate(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function get({ url }: LocalServer, path: string): Promise<{ headers: Http2Headers; hints: unknown[]; body: Buffer }> {
  const session: ClientHttp2Session = connect(url, { ca: certificate.cert });
  const stream = session.request({ ':path': path, 'accept-encoding': 'br' });
  const hints: unknown[] = [];
  stream.on('headers', ({ link }) => hints.push(link));
  const [headers] = await once(stream, 'response');
  const body = Buffer.concat(await stream.toArray());
  session.close();
  return { headers, hints, body };
}

test('a reference page is served over HTTP/2 with brotli, and its size is known', async () => {
  const server = await servePage(
    new Map([
      ['/', '<h1>é</h1>'],
      ['/assets/a.js', 'let a;'],
    ]),
    certificate,
  );
  try {
    const { headers, body } = await get(server, '/?q=1');
    expect(headers).toMatchObject({ ':status': 200, 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' });
    expect(brotliDecompressSync(body).toString()).toBe('<h1>é</h1>');
    expect(server.sizes.get('/')).toBe(body.length);
    expect((await get(server, '/assets/a.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await get(server, '/missing.js')).headers[':status']).toBe(404);
  } finally {
    server.close();
  }
});

test('the reference pages show the same rows, with the production build of React', async () => {
  const pages = await buildPages();
  expect(pages.static.get('/')?.match(/<tr>/g)).toHaveLength(100);
  for (const name of ['react-dexie', 'react-stored'] as const) {
    const [path = '', script = ''] = [...pages[name]].find(([each]) => each.startsWith('/assets/')) ?? [];
    expect(pages[name].get('/')).toContain(`src="${path}"`);
    expect(pages[name].get('/sw.js')).toContain(path);
    expect(script).not.toMatch(/jsxDEV|STORES_SCREEN|process\.env/);
  }
});

async function withApp(answer: (app: Server) => void, use: (proxy: LocalServer) => Promise<void>) {
  const app = createServer().listen(0, '127.0.0.1');
  answer(app);
  await once(app, 'listening');
  const address = app.address();
  const proxy = await proxyApp(certificate, () => (typeof address === 'object' && address ? address.port : 0));
  try {
    await use(proxy);
  } finally {
    proxy.close();
    app.close();
  }
}

test('the proxy passes requests on with their address, and answers with hints and sizes', async () => {
  let asked: IncomingHttpHeaders = {};
  await withApp(
    (app) =>
      app.on('request', (request, response) => {
        asked = request.headers;
        response.writeEarlyHints({ link: '</a.js>; rel=modulepreload' });
        setTimeout(() => response.setHeader('content-type', 'text/javascript').end('let a;'), 20);
      }),
    async (proxy) => {
      const { headers, hints, body } = await get(proxy, '/a.js?v=1');
      expect(asked).toMatchObject({ host: new URL(proxy.url).host, 'x-forwarded-proto': 'https', 'accept-encoding': 'br' });
      expect(headers).toMatchObject({ ':status': 200, 'content-type': 'text/javascript' });
      expect(hints).toEqual(['</a.js>; rel=modulepreload']);
      expect(body.toString()).toBe('let a;');
      expect(proxy.sizes.get('/a.js')).toBe(6);
    },
  );
});

test('the proxy passes sockets on', async () => {
  await withApp(
    (app) =>
      app.on('upgrade', (_request, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\n');
        socket.pipe(socket);
      }),
    async ({ url }) => {
      const socket = connectTls({ port: Number(new URL(url).port), host: '127.0.0.1', servername: 'localhost', ca: certificate.cert });
      socket.write('GET /socket.io/ HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
      let heard = '';
      socket.on('data', (chunk) => {
        if (heard === '') socket.write('hello');
        heard += chunk;
      });
      await expect.poll(() => heard).toContain('hello');
      expect(heard).toContain('101 Switching Protocols');
      socket.destroy();
    },
  );
});

test('an app that does not answer is a bad gateway', async () => {
  const proxy = await proxyApp(certificate, () => 9);
  try {
    expect((await get(proxy, '/')).headers[':status']).toBe(502);
  } finally {
    proxy.close();
  }
});
