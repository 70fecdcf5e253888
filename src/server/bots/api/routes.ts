import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  botAnswer,
  botListAnswer,
  botRemovedAnswer,
  botReportAnswer,
  botsAnswer,
  createBotBody,
  stopBotBody,
  updateBotBody,
} from '#contract/bots/bot.ts';
import { uuid } from '#contract/chat/archive.ts';
import { idText } from '#contract/text.ts';
import type { Audit } from '#server/audit.ts';
import type { Db } from '#server/db/open.ts';
import { type DemandProof, identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { networksOf } from '#server/http/network.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { COMMANDS, type LimitKeyChecks, REPORTS } from './limits.ts';
import type { BotService } from './service.ts';

const params = z.object({ id: idText });

interface Options {
  db: Db;
  bots: BotService;
  /** Names a request without telling what is secret in it. */
  digest: (secret: string) => string;
  demandProof: DemandProof;
  limitKeyChecks: LimitKeyChecks;
  audit: Audit;
}

/** Spec §7, the trading-bot service. Whoever names a user id names their own, or the bot does not exist. */
export function botRoutes(scope: FastifyInstance, { db, bots, digest, demandProof, limitKeyChecks, audit }: Options): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const idOf = (request: FastifyRequest): string => {
    const id = z.safeParse(uuid, (request.params as z.infer<typeof params>).id);
    if (!id.success) throw notFound();
    return id.data;
  };

  /** Real money asks for a recent password: `id` names the bot, undefined one that is about to be made. */
  async function guardLive(request: FastifyRequest, id?: string): Promise<void> {
    const identity = identityOf(request);
    if (await bots.isLive(identity.userId, id)) await demandProof(identity);
  }

  const noteKey = (request: FastifyRequest, about: string) =>
    audit.note('key-changed', { userId: identityOf(request).userId, network: networksOf(request.ip).wide, about });

  const byUser = (request: FastifyRequest) => identityOf(request).userId;
  const limitCommands = limitBy(app, COMMANDS, byUser);
  const limitReports = limitBy(app, REPORTS, byUser);

  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET') await limitCommands(request, reply);
  });
  app.addHook('preValidation', async (request) => {
    request.body = liftCredentials(request.body);
  });
  app.addHook('preHandler', async (request) => {
    const { userId } = identityOf(request);
    const named = [request.headers['user-id'], fieldOf(request.query, 'user_id'), fieldOf(request.body, 'user_id')];
    if (named.some((id) => id !== undefined && id !== userId)) throw notFound();
  });

  app.post('/trading-bots', { schema: { body: createBotBody, response: { 201: botAnswer } } }, async (request, reply) => {
    const { userId } = identityOf(request);
    const { api_key, secret_key, ...open } = request.body;
    await guardLive(request);
    await limitKeyChecks(userId);
    const checked = await bots.check(userId, request.body);
    let isNew = false;
    const answer = await withIdempotencyKey(
      db,
      request,
      async (tx) => {
        isNew = true;
        return { status: 201, body: { status: 201, data: await bots.create(tx, userId, request.body, checked) } };
      },
      { sent: { ...open, keys: digest(JSON.stringify([api_key, secret_key])) } },
    );
    if (isNew) noteKey(request, 'key of a new bot');
    bots.wake();
    return reply.code(201).send(z.parse(botAnswer, answer.body));
  });

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

  app.get('/trading-bots/:id', { schema: { params, response: { 200: botAnswer } } }, async (request) => ({
    status: 200,
    data: await bots.read(identityOf(request).userId, idOf(request)),
  }));

  app.get(
    '/trading-bots/:id/report',
    { schema: { params, response: { 200: botReportAnswer } }, preHandler: limitReports },
    async (request) => ({ status: 200, data: await bots.report(identityOf(request).userId, idOf(request)) }),
  );

  app.put('/trading-bots/:id', { schema: { params, body: updateBotBody, response: { 200: botAnswer } } }, async (request) => {
    const id = idOf(request);
    const { api_key, secret_key, ...open } = request.body;
    if (api_key === undefined || secret_key === undefined) return change(request, (tx, userId) => bots.update(tx, userId, id, open));
    await guardLive(request, id);
    await limitKeyChecks(identityOf(request).userId);
    const keys = { key: api_key, secret: secret_key };
    const facts = await bots.checkReplacement(identityOf(request).userId, id, keys);
    const sent = { ...open, keys: digest(JSON.stringify([api_key, secret_key])) };
    let isNew = false;
    const update: Parameters<typeof change>[1] = (tx, userId) => {
      isNew = true;
      return bots.update(tx, userId, id, open, { keys, facts });
    };
    const answer = await change(request, update, sent);
    if (isNew) noteKey(request, `key of bot ${id}`);
    return answer;
  });

  app.post('/trading-bots/:id/stop', { schema: { params, body: stopBotBody, response: { 200: botAnswer } } }, async (request) => {
    const id = idOf(request);
    const mode = request.body?.mode ?? 'close';
    return change(request, (tx, userId) => bots.stop(tx, userId, id, mode));
  });

  for (const action of ['start', 'pause', 'resume'] as const) {
    app.post(`/trading-bots/:id/${action}`, { schema: { params, response: { 200: botAnswer } } }, async (request) => {
      const id = idOf(request);
      if (action === 'start') {
        await guardLive(request, id);
        await limitKeyChecks(identityOf(request).userId);
      }
      return change(request, (tx, userId) => bots[action](tx, userId, id));
    });
  }

  app.delete('/trading-bots/:id', { schema: { params, response: { 200: botRemovedAnswer } } }, async (request) => {
    const id = idOf(request);
    const { userId } = identityOf(request);
    await guardLive(request, id);
    await bots.windUp(userId, id);
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      await bots.remove(tx, userId, id);
      return { status: 200, body: { status: 200, data: { bot_id: id } } };
    });
    return z.parse(botRemovedAnswer, answer.body);
  });

  async function change(
    request: FastifyRequest,
    run: (tx: Parameters<BotService['start']>[0], userId: string) => Promise<unknown>,
    sent?: object,
  ) {
    const { userId } = identityOf(request);
    const answer = await withIdempotencyKey(
      db,
      request,
      async (tx) => ({ status: 200, body: { status: 200, data: await run(tx, userId) } }),
      sent && { sent },
    );
    bots.wake();
    return z.parse(botAnswer, answer.body);
  }
}

const fieldOf = (from: unknown, name: string): unknown =>
  typeof from === 'object' && from !== null ? (from as Record<string, unknown>)[name] : undefined;

/** Credentials inside `config.custom_settings` move to the top level, where the contract has them (spec §7). */
function liftCredentials(body: unknown): unknown {
  const settings = fieldOf(fieldOf(body, 'config'), 'custom_settings');
  const api_key = fieldOf(settings, 'api_key');
  const secret_key = fieldOf(settings, 'secret_key');
  if (!api_key || !secret_key) return body;
  const given = body as Record<string, unknown>;
  const config = given.config as Record<string, unknown>;
  return {
    ...given,
    api_key: given.api_key || api_key,
    secret_key: given.secret_key || secret_key,
    config: { ...config, custom_settings: { ...(settings as object), api_key: '', secret_key: '' } },
  };
}
