import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  type ContactMessageBody,
  contactAnswer,
  contactMessageBody,
  deletionRequestBody,
  MAX_CONTACT_FILES,
  sentContactsAnswer,
} from '#contract/contact.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { MAX_CONTACT_FILE_BYTES } from '#contract/pictures.ts';
import { HOUR } from '#domain/clock.ts';
import type { UserBlobs } from '#server/blobs/user-blobs.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { readForms } from '#server/http/forms/read-forms.ts';
import { UploadedFile, type Uploads } from '#server/http/forms/uploads.ts';
import { keyOf, withIdempotencyKey } from '#server/http/idempotency.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { readFiles } from './files.ts';
import type { Contacts } from './service.ts';

/** Messages per account. A device that was offline may send 20, each up to three times. */
const MESSAGES = { name: 'messages to support', max: 60, timeWindow: HOUR };

const TAKEN: Record<ContactMessageBody['kind'], string> = {
  contact: 'We received your message and mailed you a confirmation.',
  deletion: 'We received your request and mailed you a confirmation.',
};

const file = z.instanceof(UploadedFile, { error: 'The files must be images.' });
/** A form with one file has no list. */
const formBody = z.extend(contactMessageBody, { files: z.optional(z.union([file, z.array(file)], 'The files must be images.')) });

/** Registers messages to support, including deletion requests. */
export function contactRoutes(api: FastifyInstance, options: { db: Db; contacts: Contacts; blobs: UserBlobs; uploads: Uploads }): void {
  const { db, contacts, blobs, uploads } = options;
  api.register(async (scope) => {
    await readForms(scope, { files: MAX_CONTACT_FILES, fileSize: MAX_CONTACT_FILE_BYTES, uploads });
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const limitMessages = limitBy(app, MESSAGES, (request) => identityOf(request).userId);

    app.post(
      '/contact-us/send-message',
      { schema: { body: formBody, response: { 200: contactAnswer } }, onRequest: limitMessages },
      async (request) => {
        const { files = [], ...body } = request.body;
        return contactAnswer.parse(await take(request, body, [files].flat()));
      },
    );

    app.post(
      '/user/delete/send-request',
      { schema: { body: deletionRequestBody, response: { 200: messageAnswer } }, onRequest: limitMessages },
      async (request) => messageAnswer.parse(await take(request, { ...request.body, kind: 'deletion' }, [])),
    );
  });

  api
    .withTypeProvider<ZodTypeProvider>()
    .get('/contact-us/messages', { schema: { response: { 200: sentContactsAnswer } } }, async (request) => ({
      status: 200,
      data: await contacts.of(identityOf(request).userId),
    }));

  async function take(request: FastifyRequest, body: ContactMessageBody, files: UploadedFile[]): Promise<unknown> {
    const { userId } = identityOf(request);
    if (body.user_id !== userId) throw notFound();
    const pictures = await readFiles(userId, files);
    let acknowledge = (): void => undefined;
    const answer = await blobs.keep(files, (stored) =>
      withIdempotencyKey(
        db,
        request,
        async (tx) => {
          const rows = pictures.flatMap((picture, index) => (stored[index] ? [{ ...picture, ...stored[index] }] : []));
          const taken = await contacts.take(tx, userId, { ...body, key: keyOf(request) }, rows);
          acknowledge = taken.acknowledge;
          return { status: 200, body: { status: 200, message: TAKEN[body.kind], data: { id: taken.id } } };
        },
        { sent: { ...body, files: files.map(({ hash }) => hash) } },
      ),
    );
    acknowledge();
    return answer.body;
  }
}
