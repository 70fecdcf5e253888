import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { uuid } from '#contract/chat/archive.ts';
import { chatAnswer, chatsAnswer, chatsQuery, ratingBody } from '#contract/chat/chat.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { idText } from '#contract/text.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { type Answer, withIdempotencyKey } from '#server/http/idempotency.ts';
import type { Chats } from './service.ts';

const params = z.object({ id: idText });

/** Spec §7: conversations and what becomes of their questions. The questions themselves arrive over the socket. */
export function chatRoutes(scope: FastifyInstance, { db, chats }: { db: Db; chats: Chats }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/archive/:id/chats', { schema: { params, querystring: chatsQuery, response: { 200: chatsAnswer } } }, async (request) => {
    const { chats: data, archive, total } = await chats.list(identityOf(request).userId, idOf(request.params), request.query);
    return { status: 200, data, archive, total };
  });

  app.delete('/archive/:id', { schema: { params, response: { 200: messageAnswer } } }, async (request) => {
    const id = idOf(request.params);
    let tell = (): void => undefined;
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      ({ tell } = await chats.remove(tx, identityOf(request).userId, id));
      return { status: 200, body: { status: 200, message: 'Chat deleted.' } };
    });
    tell();
    return z.parse(messageAnswer, answer.body);
  });

  app.get('/chat/:id', { schema: { params, response: { 200: chatAnswer } } }, async (request) => ({
    status: 200,
    data: await chats.read(identityOf(request).userId, idOf(request.params)),
  }));

  app.post('/chat/:id/stop', { schema: { params, response: { 200: chatAnswer } } }, async (request) => {
    const id = idOf(request.params);
    let tell = (): void => undefined;
    const stop = async (tx: Tx) => {
      const stopped = await chats.stop(tx, identityOf(request).userId, id);
      tell = stopped.tell;
      return { status: 200, body: { status: 200, data: stopped.chat } };
    };
    const answer = await withIdempotencyKey(db, request, stop, { reread: (tx) => readChat(tx, request, id) });
    tell();
    return z.parse(chatAnswer, answer.body);
  });

  app.put('/chat/:id/rating', { schema: { params, body: ratingBody, response: { 200: chatAnswer } } }, async (request) => {
    const id = idOf(request.params);
    const { rating } = request.body;
    const rate = async (tx: Tx) => ({
      status: 200,
      body: { status: 200, data: await chats.rate(tx, identityOf(request).userId, id, rating) },
    });
    const answer = await withIdempotencyKey(db, request, rate, { reread: (tx) => readChat(tx, request, id) });
    return z.parse(chatAnswer, answer.body);
  });

  async function readChat(tx: Tx, request: FastifyRequest, id: string): Promise<Answer> {
    return { status: 200, body: { status: 200, data: await chats.read(identityOf(request).userId, id, tx) } };
  }
}

/** What is no id is nothing that exists. */
function idOf({ id }: { id: string }): string {
  const known = z.safeParse(uuid, id);
  if (!known.success) throw notFound();
  return known.data.toLowerCase();
}
