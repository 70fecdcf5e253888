import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { uuid } from '../../../contract/archive';
import { chatsAnswer } from '../../../contract/chat';
import { identityOf } from '../../http/authenticate';
import { notFound } from '../../http/errors';
import type { Chats } from './service';

/** Spec §7: the chats of one archive. Questions arrive over the socket. */
export function chatRoutes(scope: FastifyInstance, { chats }: { chats: Chats }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/archive/:id/chats', { schema: { params: z.object({ id: z.string() }), response: { 200: chatsAnswer } } }, async (request) => {
    const id = z.safeParse(uuid, request.params.id);
    if (!id.success) throw notFound();
    return { status: 200, data: await chats.list(identityOf(request).userId, id.data) };
  });
}
