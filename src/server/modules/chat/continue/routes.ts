import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type Archive, archiveAnswer } from '#contract/chat/archive.ts';
import { continueBody } from '#contract/chat/continue-chat.ts';
import { MINUTE } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { ContinueChat } from './continue-chat.ts';

const REQUESTS = { name: 'continued-chats', max: 60, timeWindow: 10 * MINUTE };

interface Options {
  continueChat: ContinueChat;
  /** Called after a new chat is stored. */
  onBegun: (userId: string, archive: Archive) => void;
}

/** POST /archive/{id}/continue: begins a chat with copies of another one's messages. */
export function continueRoutes(scope: FastifyInstance, { continueChat, onBegun }: Options): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const onRequest = limitBy(app, REQUESTS, (request) => identityOf(request).userId);
  app.post(
    '/archive/:id/continue',
    { schema: { params: idParams, body: continueBody, response: { 201: archiveAnswer } }, onRequest },
    async (request, reply) => {
      const { userId } = identityOf(request);
      const { id, chat_id } = request.body;
      const continued = { archiveId: pathId(request), chatId: chat_id.toLowerCase(), id: id.toLowerCase() };
      const { archive, isNew } = await continueChat(userId, continued);
      if (isNew) onBegun(userId, archive);
      return reply.code(201).send({ status: 201, data: archive });
    },
  );
}
