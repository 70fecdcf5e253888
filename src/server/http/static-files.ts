import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SERVER_PATHS, THEME_COOKIE } from '#contract/paths.ts';
import { INDEX_HTML, VISIT_HTML } from '#domain/route-files.ts';
import { sendShared, serveRevisions } from '../client-files/serve-shared.ts';
import type { SharedFiles } from '../client-files/shared-files.ts';
import type { Config } from '../config.ts';
import { sendProblem } from './error-handler.ts';
import { notFound } from './errors.ts';
import { routeLinks } from './route-links.ts';

/** Vite adds a content hash to every name below this path, so these files never change. */
const HASHED = '/assets/';

/** Serves the built client. Navigations to unknown paths get index.html, because the client routes them; other requests get 404. */
export async function serveClient(
  app: FastifyInstance,
  clientDir: string | undefined,
  { earlyHints, files }: Pick<Config, 'earlyHints'> & { files?: SharedFiles | undefined },
): Promise<void> {
  // The worker and visitors with a chosen appearance get index.html, others the page with the earliest first paint.
  const visitPage = clientDir && existsSync(join(clientDir, VISIT_HTML)) ? VISIT_HTML : INDEX_HTML;
  const sendPage = (request: FastifyRequest, reply: FastifyReply) =>
    reply.sendFile(isNavigation(request) && !hasChosenTheme(request) ? visitPage : INDEX_HTML);
  if (clientDir) {
    const linksOf = routeLinks(clientDir);
    await app.register(fastifyStatic, {
      root: clientDir,
      index: false,
      preCompressed: true,
      cacheControl: false,
      // sw.js, index.html and the manifest decide which version runs, so browsers revalidate them each time.
      setHeaders: (reply, file) => {
        const name = file.slice(clientDir.length).replaceAll('\\', '/');
        reply.header('cache-control', name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache');
        if (name.startsWith(HASHED) || !isNavigation(reply.request)) return;
        const link = linksOf(pathOf(reply.request));
        if (link.length === 0) return;
        reply.header('link', link.join(', '));
        if (earlyHints === 'on' && takesEarlyHints(reply.request)) reply.raw.writeEarlyHints({ link: [...link] });
      },
    });
    app.get('/', sendPage);
    if (files) serveRevisions(app, files);
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (clientDir && isNavigation(request)) return sendPage(request, reply);
    const path = pathOf(request);
    const file = path.startsWith(HASHED) && isRead(request) ? await files?.find(path.slice(1)) : undefined;
    if (file) return sendShared(request, reply, file);
    return sendProblem(reply, notFound());
  });
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';
const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '/';

const CHOSEN_THEME = new RegExp(`(^|; )${THEME_COOKIE}=`);
const hasChosenTheme = ({ headers }: FastifyRequest): boolean => CHOSEN_THEME.test(headers.cookie ?? '');

/** Browsers that send this header understand a 103 before the answer. Other clients may take it for the answer. */
const takesEarlyHints = ({ headers, raw }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && raw.httpVersion !== '1.0';

function isNavigation(request: FastifyRequest): boolean {
  const path = pathOf(request);
  const served = [...SERVER_PATHS, HASHED.slice(0, -1)].some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  return !served && isRead(request) && (request.headers.accept ?? '').includes('text/html');
}
