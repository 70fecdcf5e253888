import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { chatMessage, conversationAnswer, conversationQuery, oneMessageAnswer, ratingBody } from '#contract/chat/chat.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { type Answer, withIdempotencyKey } from '#server/http/idempotency.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { QUESTIONS_A_MINUTE } from './ask-question.ts';
import type { Conversations } from './service.ts';

const QUESTIONS = { rateLimit: { max: QUESTIONS_A_MINUTE, timeWindow: MINUTE } };

/** Routes for reading, stopping, rating and deleting messages. Questions arrive over the socket, or here from networks that block it. */
export function chatRoutes(scope: FastifyInstance, { db, conversations }: { db: Db; conversations: Conversations }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/archive/:id/chats',
    { schema: { params: idParams, querystring: conversationQuery, response: { 200: conversationAnswer } } },
    async (request) => {
      const { messages: data, archive, total } = await conversations.list(identityOf(request).userId, pathId(request), request.query);
      return { status: 200, data, archive, total };
    },
  );

  app.post(
    '/chat/questions',
    { schema: { body: chatMessage, response: { 200: oneMessageAnswer } }, config: QUESTIONS },
    async (request) => ({ status: 200, data: await conversations.ask(identityOf(request).userId, request.body) }),
  );

  app.delete('/archive/:id', { schema: { params: idParams, response: { 200: messageAnswer } } }, async (request) => {
    const id = pathId(request);
    let tell = (): void => undefined;
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      ({ tell } = await conversations.remove(tx, identityOf(request).userId, id));
      return { status: 200, body: { status: 200, message: 'Chat deleted.' } };
    });
    tell();
    return z.parse(messageAnswer, answer.body);
  });

  app.get('/chat/:id', { schema: { params: idParams, response: { 200: oneMessageAnswer } } }, async (request) => ({
    status: 200,
    data: await conversations.read(identityOf(request).userId, pathId(request)),
  }));

  app.post('/chat/:id/stop', { schema: { params: idParams, response: { 200: oneMessageAnswer } } }, async (request) => {
    const id = pathId(request);
    let tell = (): void => undefined;
    const stop = async (tx: Tx) => {
      const stopped = await conversations.stop(tx, identityOf(request).userId, id);
      tell = stopped.tell;
      return { status: 200, body: { status: 200, data: stopped.message } };
    };
    const answer = await withIdempotencyKey(db, request, stop, { reread: (tx) => readMessage(tx, request, id) });
    tell();
    return z.parse(oneMessageAnswer, answer.body);
  });

  app.put('/chat/:id/rating', { schema: { params: idParams, body: ratingBody, response: { 200: oneMessageAnswer } } }, async (request) => {
    const id = pathId(request);
    const { rating } = request.body;
    const rate = async (tx: Tx) => ({
      status: 200,
      body: { status: 200, data: await conversations.rate(tx, identityOf(request).userId, id, rating) },
    });
    const answer = await withIdempotencyKey(db, request, rate, { reread: (tx) => readMessage(tx, request, id) });
    return z.parse(oneMessageAnswer, answer.body);
  });

  async function readMessage(tx: Tx, request: FastifyRequest, id: string): Promise<Answer> {
    return { status: 200, body: { status: 200, data: await conversations.read(identityOf(request).userId, id, tx) } };
  }
}
