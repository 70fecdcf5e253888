import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import { StartupError } from '../startup-error.ts';
import type { Prometheus } from './prometheus.ts';

const METRICS_PATH = '/metrics';
/** Limits of the metrics port: connections at once, and how long a request may take, ms. */
const MAX_CONNECTIONS = 32;
const REQUEST_TIMEOUT = 10_000;

/** Serves metrics for Prometheus on METRICS_PORT, or else on the app's port for bearers of METRICS_TOKEN. Without both, not at all. */
export async function attachMetrics(app: FastifyInstance, parts: Parts): Promise<void> {
  const { metricsPort, metricsHost, metricsToken } = parts.config;
  if (metricsPort === undefined && metricsToken === undefined) return;
  const { createPrometheus } = await import('./prometheus.ts');
  const prometheus = createPrometheus(parts, (err) => app.log.warn({ err }, 'the metrics of the database cannot be read'));
  const mayRead = (authorization: string | undefined): boolean => metricsToken === undefined || isBearerOf(metricsToken, authorization);

  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    prometheus.countRequest({ method, route: routeOptions.url, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
  });
  app.addHook('onClose', async () => prometheus.close());

  if (metricsPort === undefined) return serveOnApp(app, prometheus, mayRead);
  const server = createMetricsServer(prometheus, mayRead);
  app.addHook('onReady', () => listen(server, metricsPort, metricsHost));
  app.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
}

/** Compares hashes, whose length does not depend on what the caller sent, in constant time. */
function isBearerOf(token: string, authorization = ''): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(authorization), hash(`Bearer ${token}`));
}

type MayRead = (authorization: string | undefined) => boolean;

function serveOnApp(app: FastifyInstance, { contentType, scrape }: Prometheus, mayRead: MayRead): void {
  app.get(METRICS_PATH, async ({ headers }, reply) => {
    reply.header('cache-control', 'no-store');
    if (!mayRead(headers.authorization)) return reply.code(401).header('www-authenticate', 'Bearer').type('text/plain').send('');
    return reply.type(contentType).send(await scrape());
  });
}

function createMetricsServer({ contentType, scrape }: Prometheus, mayRead: MayRead): Server {
  async function answer({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?', 1)[0] !== METRICS_PATH || method !== 'GET') response.writeHead(404).end();
    else if (!mayRead(headers.authorization)) response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    else {
      const text = await scrape();
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
    }
  }
  const limits = { requestTimeout: REQUEST_TIMEOUT, headersTimeout: REQUEST_TIMEOUT };
  const server = createServer(limits, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays: without a listener, a later error, such as too many open files, would end the process.
    server.on('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new StartupError(`METRICS_PORT: cannot listen on ${host}, port ${port} (${code}).`)),
    );
    server.listen(port, host, resolve);
  });
}
