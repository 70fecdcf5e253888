import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { backtestAnswer, backtestForm, backtestListAnswer, backtestRemovedAnswer, backtestReportAnswer } from '#contract/bots/backtest.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { Backtests } from './service.ts';

/** Starts and deletions by one user. */
const CHANGES = { name: 'changes of backtests', max: 30, timeWindow: MINUTE };

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

  app.get('/backtests/:id', { schema: { params: idParams, response: { 200: backtestReportAnswer } } }, async (request) => ({
    status: 200,
    data: await backtests.read(identityOf(request).userId, pathId(request)),
  }));

  app.delete('/backtests/:id', { schema: { params: idParams, response: { 200: backtestRemovedAnswer } }, preHandler }, async (request) => {
    const id = pathId(request);
    const { userId } = identityOf(request);
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      await backtests.remove(tx, userId, id);
      return { status: 200, body: { status: 200, data: { id } } };
    });
    backtests.cancel(id);
    return z.parse(backtestRemovedAnswer, answer.body);
  });
}
