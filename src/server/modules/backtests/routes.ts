import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { backtestAnswer, backtestForm, backtestListAnswer, backtestRemovedAnswer, backtestReportAnswer } from '#contract/bots/backtest.ts';
import { uuid } from '#contract/chat/archive.ts';
import { idText } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { Backtests } from './service.ts';

/** Starts and deletions by one user. */
const CHANGES = { max: 30, timeWindow: MINUTE };

const params = z.object({ id: idText });

/** Returns the backtest's id of a request. Throws 404 for text that is no id. */
function idOf(request: FastifyRequest): string {
  const id = z.safeParse(uuid, (request.params as z.infer<typeof params>).id);
  if (!id.success) throw notFound();
  return id.data;
}

/** Registers starting, reading and deleting backtests. */
export function backtestRoutes(scope: FastifyInstance, { db, backtests }: { db: Db; backtests: Backtests }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preHandler = limitBy(app, CHANGES, (request) => identityOf(request).userId);

  app.get('/backtests', { schema: { response: { 200: backtestListAnswer } } }, async (request) => ({
    status: 200,
    data: await backtests.list(identityOf(request).userId),
  }));

  app.post('/backtests', { schema: { body: backtestForm, response: { 201: backtestAnswer } }, preHandler }, async (request, reply) => {
    let isNew = false;
    const { userId } = identityOf(request);
    const stored = await withIdempotencyKey(db, request, async (tx) => {
      isNew = true;
      return { status: 201, body: { status: 201, data: await backtests.create(tx, userId, request.body) } };
    });
    const answer = z.parse(backtestAnswer, stored.body);
    if (isNew) backtests.start(answer.data);
    return reply.status(201).send(answer);
  });

  app.get('/backtests/:id', { schema: { params, response: { 200: backtestReportAnswer } } }, async (request) => ({
    status: 200,
    data: await backtests.read(identityOf(request).userId, idOf(request)),
  }));

  app.delete('/backtests/:id', { schema: { params, response: { 200: backtestRemovedAnswer } }, preHandler }, async (request) => {
    const id = idOf(request);
    const { userId } = identityOf(request);
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      await backtests.remove(tx, userId, id);
      return { status: 200, body: { status: 200, data: { id } } };
    });
    backtests.cancel(id);
    return z.parse(backtestRemovedAnswer, answer.body);
  });
}
