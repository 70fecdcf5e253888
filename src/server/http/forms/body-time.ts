import type { FastifyInstance } from 'fastify';
import type { Uploads } from './uploads.ts';

/** How long a body may take to arrive, ms; 128 KB need three seconds over a slow phone. Uploads have rules of their own. */
const LIMIT = 30_000;

/** Ends connections whose bodies trickle in, also those that nobody reads because their request was refused. */
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
