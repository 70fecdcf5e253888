import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { deletionRequestBody } from '../../../contract/contact';
import { messageAnswer } from '../../../contract/envelope';
import { HOUR } from '../../../domain/clock';
import type { Db } from '../../db/open';
import { identityOf } from '../../http/authenticate';
import { notFound } from '../../http/errors';
import { once } from '../../http/once';
import { limitBy } from '../../http/rate-limits';
import type { Deletions } from './service';

/** Each is a mail, and work for somebody. */
const REQUESTS = { max: 10, timeWindow: HOUR };

export function deletionRoutes(scope: FastifyInstance, { db, deletions }: { db: Db; deletions: Deletions }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const limitRequests = limitBy(app, REQUESTS, (request) => identityOf(request).userId);

  app.post(
    '/user/delete/send-request',
    { schema: { body: deletionRequestBody, response: { 200: messageAnswer } }, preHandler: limitRequests },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.body.user_id !== userId) throw notFound();
      let acknowledge = (): void => undefined;
      const answer = await once(db, request, async (tx) => {
        acknowledge = await deletions.request(tx, userId, request.body);
        return { status: 200, body: { status: 200, message: 'We have your request and mailed you a confirmation.' } };
      });
      acknowledge();
      return messageAnswer.parse(answer.body);
    },
  );
}
