import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  type Archive,
  archiveAnswer,
  archiveSearch,
  archivesAnswer,
  archivesQuery,
  createArchiveBody,
  renameBody,
} from '#contract/chat/archive.ts';
import { pinBody } from '#contract/chat/pins.ts';
import { idText } from '#contract/text.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { readForms } from '#server/http/forms/read-forms.ts';
import type { Uploads } from '#server/http/forms/uploads.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import type { Archives } from './service.ts';

const searchParams = z.object({ userId: idText, search_text: z.optional(archiveSearch) });

interface Options {
  db: Db;
  archives: Archives;
  uploads: Uploads;
  /** Called after a new title or a pin is stored. */
  onChanged: (userId: string, archive: Archive) => void;
}

/** Routes that create, rename, pin, list and search archives. */
export function archiveRoutes(scope: FastifyInstance, { db, archives, uploads, onChanged }: Options): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  /** Changes the archive that a request names, once for each idempotency key. */
  async function change(
    request: FastifyRequest<{ Params: { id: string } }>,
    work: (tx: Tx, userId: string, id: string) => Promise<Archive>,
  ) {
    const { userId } = identityOf(request);
    const id = pathId(request);
    let changed: Archive | undefined;
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      changed = await work(tx, userId, id);
      return { status: 200, body: { status: 200, data: changed } };
    });
    // Not for a replayed request, because the archive may have changed since.
    if (changed) onChanged(userId, changed);
    return z.parse(archiveAnswer, answer.body);
  }

  app.post('/chat/archives', { schema: { body: createArchiveBody, response: { 201: archiveAnswer } } }, async (request, reply) => {
    const { userId } = identityOf(request);
    const { userId: owner, id } = request.body;
    if (owner !== userId) throw notFound();
    const answer = await withIdempotencyKey(db, request, async (tx) => ({
      status: 201,
      body: { status: 201, data: await archives.create(tx, userId, id) },
    }));
    return reply.code(201).send(z.parse(archiveAnswer, answer.body));
  });

  app.get(
    '/user/:userId/archives/:search_text?',
    { schema: { params: searchParams, querystring: archivesQuery, response: { 200: archivesAnswer } } },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      const { archives: data, ...rest } = await archives.search(userId, request.params.search_text ?? '', request.query.cursor);
      return { status: 200, data, ...rest };
    },
  );

  app.put('/archive/:id/pin', { schema: { params: idParams, body: pinBody, response: { 200: archiveAnswer } } }, (request) =>
    change(request, (tx, userId, id) => archives.pin(tx, userId, id, request.body.pinned)),
  );

  scope.register(async (forms) => {
    await readForms(forms, { files: 0, fileSize: 0, uploads });
    forms
      .withTypeProvider<ZodTypeProvider>()
      .patch('/archive/:id/title', { schema: { params: idParams, body: renameBody, response: { 200: archiveAnswer } } }, (request) =>
        change(request, (tx, userId, id) => archives.rename(tx, userId, id, request.body.archiveTitle)),
      );
  });
}
