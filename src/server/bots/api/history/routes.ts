import { Readable } from 'node:stream';
import type { preHandlerAsyncHookHandler } from 'fastify';
import { botChartAnswer } from '#contract/bots/bot-chart.ts';
import { botProfitsAnswer, botTradesAnswer, botTradesQuery, deletedBotsAnswer } from '#contract/bots/trade-history.ts';
import { tradesFileName } from '#domain/bots/trades-file-name.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import type { BotService } from '../service.ts';
import type { App } from '../typed-app.ts';

interface Options {
  bots: BotService;
  limitReports: preHandlerAsyncHookHandler;
  limitFiles: preHandlerAsyncHookHandler;
}

/** Adds the routes that read trades of bots, deleted ones included. */
export function addTradeHistoryRoutes(app: App, { bots, limitReports, limitFiles }: Options): void {
  app.get('/trading-bots/deleted', { schema: { response: { 200: deletedBotsAnswer } } }, async (request) => ({
    status: 200,
    data: await bots.deletedBots(identityOf(request).userId),
  }));

  app.get(
    '/trading-bots/:id/trades',
    { schema: { params: idParams, querystring: botTradesQuery, response: { 200: botTradesAnswer } }, preHandler: limitReports },
    async (request) => ({ status: 200, data: await bots.trades(identityOf(request).userId, pathId(request), request.query) }),
  );

  app.get(
    '/trading-bots/:id/profits',
    { schema: { params: idParams, response: { 200: botProfitsAnswer } }, preHandler: limitReports },
    async (request) => ({ status: 200, data: await bots.profits(identityOf(request).userId, pathId(request)) }),
  );

  app.get(
    '/trading-bots/:id/chart',
    { schema: { params: idParams, response: { 200: botChartAnswer } }, preHandler: limitReports },
    async (request) => ({ status: 200, data: await bots.chart(identityOf(request).userId, pathId(request)) }),
  );

  app.get('/trading-bots/:id/trades.csv', { schema: { params: idParams }, preHandler: limitFiles }, async (request, reply) => {
    const { botName, lines } = await bots.tradesFile(identityOf(request).userId, pathId(request));
    return reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(tradesFileName(botName))}`)
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(lines));
  });
}
