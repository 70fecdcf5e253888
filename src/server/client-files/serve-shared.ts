import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REVISION } from '#contract/paths.ts';
import { HOUR } from '#domain/clock.ts';
import { notFound } from '../http/errors.ts';
import type { ClientFile } from './built-files.ts';
import type { SharedFiles } from './shared-files.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** Browsers send `br` without a weight; a client that forbids it with `q=0` gets the plain file. */
const TAKES_BROTLI = /(^|,)\s*br\s*(,|;(?!\s*q=0(\.0*)?\s*(,|$))|$)/;
const decompress = promisify(brotliDecompress);

/** The cleanup deletes files that no build has marked for two weeks. */
const PUBLISH_INTERVAL = 6 * HOUR;

/** Stores this build's files before the server takes requests, and keeps them. */
export function keepPublished(app: FastifyInstance, { publish }: SharedFiles): void {
  const repeat = () => publish().catch((err: unknown) => app.log.warn({ err }, 'the app’s files were not stored for other versions'));
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    await publish();
    timer = setInterval(repeat, PUBLISH_INTERVAL).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Serves files of other builds by revision. A worker that gets another version's page would keep it without its scripts. */
export function serveRevisions(app: FastifyInstance, files: SharedFiles): void {
  app.addHook('onRequest', async (request, reply) => {
    const key = request.url.slice(1);
    if (!key.includes(`?${REVISION}=`) || files.isOwn(key)) return undefined;
    const found = await files.find(key);
    if (!found) throw notFound();
    return send(request, reply, found);
  });
}

/** Sends a file of another build. Its address has a content hash or a revision, so the content never changes. */
export async function sendShared(request: FastifyRequest, reply: FastifyReply, file: ClientFile): Promise<FastifyReply> {
  reply.header('cache-control', 'public, max-age=31536000, immutable');
  return send(request, reply, file);
}

async function send(request: FastifyRequest, reply: FastifyReply, { key, encoding, content }: ClientFile): Promise<FastifyReply> {
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ');
  reply.header('vary', vary).type(TYPES[extname(key.split('?', 1)[0] ?? '')] ?? 'application/octet-stream');
  if (encoding === 'identity') return reply.send(content);
  if (!TAKES_BROTLI.test(String(request.headers['accept-encoding'] ?? '').slice(0, 500))) return reply.send(await decompress(content));
  return reply.header('content-encoding', 'br').send(content);
}
