import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { archiveAnswer, archivesAnswer, createArchiveBody } from '../../../contract/archive';
import type { Db } from '../../db/open';
import { identityOf } from '../../http/authenticate';
import { notFound } from '../../http/errors';
import { once } from '../../http/once';
import type { Archives } from './service';

const searchParams = z.object({ userId: z.string(), search_text: z.optional(z.string()) });

/** Spec §7: creating archives, and listing those a text is found in. */
export function archiveRoutes(scope: FastifyInstance, { db, archives }: { db: Db; archives: Archives }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.post('/chat/archives', { schema: { body: createArchiveBody, response: { 201: archiveAnswer } } }, async (request, reply) => {
    const { userId } = identityOf(request);
    const { userId: owner, id } = request.body;
    if (owner !== userId) throw notFound();
    const answer = await once(db, request, async (tx) => ({
      status: 201,
      body: { status: 201, data: await archives.create(tx, userId, id) },
    }));
    return reply.code(201).send(z.parse(archiveAnswer, answer.body));
  });

  app.get(
    '/user/:userId/archives/:search_text?',
    { schema: { params: searchParams, response: { 200: archivesAnswer } } },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      return { status: 200, data: await archives.search(userId, request.params.search_text ?? '') };
    },
  );
}
