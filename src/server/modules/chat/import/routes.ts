import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { importAnswer, importBody } from '#contract/chat/import-chats.ts';
import { idText } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { ImportChats } from './import-chats.ts';

/** Enough for a preview and an import of 100,000 messages, 200 a request. */
const REQUESTS = { name: 'imports', max: 1_200, timeWindow: 10 * MINUTE };
const MAX_BYTES = 1024 * 1024;

const params = z.object({ userId: idText });

/** POST /user/{userId}/archives/import: adds chats of an export to the account. */
export function importRoutes(scope: FastifyInstance, { importChats }: { importChats: ImportChats }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const onRequest = limitBy(app, REQUESTS, (request) => identityOf(request).userId);
  app.post(
    '/user/:userId/archives/import',
    { schema: { params, body: importBody, response: { 200: importAnswer } }, onRequest, bodyLimit: MAX_BYTES },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      return { status: 200, data: await importChats(userId, request.body) };
    },
  );
}
