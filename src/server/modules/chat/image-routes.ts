import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { chatImageAnswer, chatImageBody } from '#contract/chat/chat.ts';
import { MAX_CHAT_IMAGE_BYTES } from '#contract/pictures.ts';
import { MINUTE } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { readForms } from '#server/http/forms/read-forms.ts';
import { UploadedFile, type Uploads } from '#server/http/forms/uploads.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { Images } from './images.ts';

/** Uploads per account, limited because each one decodes a picture. */
const UPLOADS = { name: 'chat pictures', max: 60, timeWindow: 10 * MINUTE };

const body = z.extend(chatImageBody, { image: z.instanceof(UploadedFile, { error: 'The image must be a file.' }) });

/** Serves the pictures of questions to the user who uploaded them. */
export function chatImageRoutes(api: FastifyInstance, { images, uploads }: { images: Images; uploads: Uploads }): void {
  api.register(async (scope) => {
    await readForms(scope, { files: 1, fileSize: MAX_CHAT_IMAGE_BYTES, uploads });
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const limitUploads = limitBy(app, UPLOADS, (request) => identityOf(request).userId);

    app.post('/chat/images', { schema: { body, response: { 201: chatImageAnswer } }, onRequest: limitUploads }, async (request, reply) => {
      const { id, image } = request.body;
      const data = await images.store(identityOf(request).userId, id.toLowerCase(), image.path);
      return reply.code(201).send({ status: 201, data });
    });

    app.get('/chat/images/:id', { schema: { params: idParams } }, (request, reply) => send(request, reply, 'whole'));
    app.get('/chat/images/:id/preview', { schema: { params: idParams } }, (request, reply) => send(request, reply, 'small'));
  });

  async function send(request: FastifyRequest, reply: FastifyReply, size: 'whole' | 'small'): Promise<FastifyReply> {
    const id = pathId(request);
    const image = await images.find(identityOf(request).userId, id, size);
    if (!image) throw notFound();
    // Rows from before the blob store have no hash until the server migrates them.
    const etag = `"${image.hash ?? `${image.size}-${id}`}"`;
    // Revalidate each time with the bearer token, because another user may sign in to the same browser.
    reply.header('cache-control', 'private, no-cache').header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const content = await images.open(image);
    if (!content) {
      request.log.error({ image: id }, 'the blob of a picture is missing');
      throw notFound('The picture is missing on the server.');
    }
    if (image.hash !== null) reply.header('content-length', image.size);
    return reply.type(image.type).send(content);
  }
}
