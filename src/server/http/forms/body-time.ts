import type { FastifyInstance } from 'fastify';
import type { Uploads } from './uploads.ts';

/** Time limit of a request body, ms: 128 KB take three seconds on a slow phone. Uploads have their own limit. */
const LIMIT = 30_000;

/** Closes connections that send their body too slowly, even when the request was refused and its body is not read. */
export function limitBodyTime(app: FastifyInstance, uploads: Uploads): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request;
    if (raw.headers['transfer-encoding'] === undefined && Number(raw.headers['content-length'] ?? 0) === 0) return;
    const timer = setTimeout(() => {
      if (!raw.complete && !uploads.of(request)) raw.destroy();
    }, LIMIT).unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
