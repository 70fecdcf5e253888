import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SERVER_PATHS } from '#contract/paths.ts';
import { sendProblem } from './error-handler.ts';
import { notFound } from './errors.ts';

/** Vite adds a content hash to every name below this path, so these files never change. */
const HASHED = '/assets/';

/** Serves the built client. Navigations to unknown paths get index.html, because the client routes them; other requests get 404. */
export async function serveClient(app: FastifyInstance, clientDir: string | undefined): Promise<void> {
  if (clientDir) {
    await app.register(fastifyStatic, {
      root: clientDir,
      preCompressed: true,
      cacheControl: false,
      // sw.js, index.html and the manifest decide which version runs, so browsers revalidate them each time.
      setHeaders: (reply, file) => {
        const hashed = file.slice(clientDir.length).replaceAll('\\', '/').startsWith(HASHED);
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (clientDir && isNavigation(request)) return reply.sendFile('index.html');
    return sendProblem(reply, notFound());
  });
}

function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? '/';
  const served = [...SERVER_PATHS, HASHED.slice(0, -1)].some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  return !served && ['GET', 'HEAD'].includes(request.method) && (request.headers.accept ?? '').includes('text/html');
}
