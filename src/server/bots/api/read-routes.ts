import type { preHandlerAsyncHookHandler } from 'fastify';
import * as z from 'zod/mini';
import { botAnswer, botListAnswer, botReportAnswer, botsAnswer } from '#contract/bots/bot.ts';
import { idText } from '#contract/text.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import type { BotService } from './service.ts';
import type { App } from './typed-app.ts';

interface Options {
  bots: BotService;
  limitReports: preHandlerAsyncHookHandler;
}

/** Adds the routes that read bots. */
export function addReadRoutes(app: App, { bots, limitReports }: Options): void {
  app.get('/trading-bots', { schema: { response: { 200: botsAnswer } } }, async (request) => ({
    status: 200,
    data: await bots.list(identityOf(request).userId),
  }));

  app.get(
    '/users/:userId/trading-bots',
    { schema: { params: z.object({ userId: idText }), response: { 200: botListAnswer } } },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      const list = await bots.list(userId);
      return { status: 200, data: { bots: list, total: list.length } };
    },
  );

  app.get('/trading-bots/:id', { schema: { params: idParams, response: { 200: botAnswer } } }, async (request) => ({
    status: 200,
    data: await bots.read(identityOf(request).userId, pathId(request)),
  }));

  app.get(
    '/trading-bots/:id/report',
    { schema: { params: idParams, response: { 200: botReportAnswer } }, preHandler: limitReports },
    async (request) => ({ status: 200, data: await bots.report(identityOf(request).userId, pathId(request)) }),
  );
}
