import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { botAnswer, botRemovedAnswer, closeBotBody, createBotBody, stopBotBody, updateBotBody } from '#contract/bots/bot.ts';
import type { Audit } from '#server/audit.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { type DemandProof, identityOf } from '#server/http/authenticate.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { networksOf } from '#server/http/network.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { keysIn } from './api-keys.ts';
import type { LimitKeyChecks } from './limits.ts';
import type { BotService } from './service.ts';
import type { App } from './typed-app.ts';

export interface CommandOptions {
  db: Db;
  bots: BotService;
  /** Returns a keyed hash of the credentials, so that the stored request has no secrets. */
  digest: (secret: string) => string;
  /** Demands a recent password before a command touches real money. */
  demandProof: DemandProof;
  limitKeyChecks: LimitKeyChecks;
  audit: Audit;
}

/** Adds the routes that create, change and delete bots. */
export function addCommandRoutes(app: App, options: CommandOptions): void {
  addCreateRoute(app, options);
  addUpdateRoute(app, options);
  addStartStopRoutes(app, options);
  addDeleteRoute(app, options);
}

/** Demands a recent password for real money. Without `id`, for a new bot. */
async function guardLive({ bots, demandProof }: CommandOptions, request: FastifyRequest, id?: string): Promise<void> {
  const identity = identityOf(request);
  if (await bots.isLive(identity.userId, id)) await demandProof(identity);
}

const auditKey = ({ audit }: CommandOptions, request: FastifyRequest, about: string) =>
  audit.note('key-changed', { userId: identityOf(request).userId, network: networksOf(request.ip).wide, about });

/** Runs a change of one bot with the request's idempotency key. `sent` replaces a body that has secrets. */
async function changeBot(
  { db, bots }: CommandOptions,
  request: FastifyRequest,
  change: (tx: Tx, userId: string) => Promise<unknown>,
  sent?: object,
) {
  const { userId } = identityOf(request);
  const answer = await withIdempotencyKey(
    db,
    request,
    async (tx) => ({ status: 200, body: { status: 200, data: await change(tx, userId) } }),
    sent && { sent },
  );
  bots.wake();
  return z.parse(botAnswer, answer.body);
}

function addCreateRoute(app: App, options: CommandOptions): void {
  const { db, bots, digest, limitKeyChecks } = options;
  app.post('/trading-bots', { schema: { body: createBotBody, response: { 201: botAnswer } } }, async (request, reply) => {
    const { userId } = identityOf(request);
    const { api_key, secret_key, passphrase, ...open } = request.body;
    const keys = keysIn({ api_key, secret_key, passphrase });
    await guardLive(options, request);
    await limitKeyChecks(userId);
    const facts = await bots.checkNew(userId, request.body);
    let isNew = false;
    const answer = await withIdempotencyKey(
      db,
      request,
      async (tx) => {
        isNew = true;
        return { status: 201, body: { status: 201, data: await bots.create(tx, userId, request.body, facts) } };
      },
      { sent: { ...open, keys: digest(JSON.stringify(Object.values(keys))) } },
    );
    if (isNew) auditKey(options, request, 'key of a new bot');
    bots.wake();
    return reply.code(201).send(z.parse(botAnswer, answer.body));
  });
}

function addUpdateRoute(app: App, options: CommandOptions): void {
  const { bots, digest, limitKeyChecks } = options;
  const schema = { params: idParams, body: updateBotBody, response: { 200: botAnswer } };
  app.put('/trading-bots/:id', { schema }, async (request) => {
    const id = pathId(request);
    const { api_key, secret_key, passphrase, ...open } = request.body;
    if (api_key === undefined || secret_key === undefined)
      return changeBot(options, request, (tx, userId) => bots.update(tx, userId, id, open));
    await guardLive(options, request, id);
    const { userId } = identityOf(request);
    await limitKeyChecks(userId);
    const keys = keysIn({ api_key, secret_key, passphrase });
    const facts = await bots.checkReplacement(userId, id, keys);
    const sent = { ...open, keys: digest(JSON.stringify(Object.values(keys))) };
    let isNew = false;
    const update = (tx: Tx) => {
      isNew = true;
      return bots.update(tx, userId, id, open, { keys, facts });
    };
    const answer = await changeBot(options, request, update, sent);
    if (isNew) auditKey(options, request, `key of bot ${id}`);
    return answer;
  });
}

function addStartStopRoutes(app: App, options: CommandOptions): void {
  const { bots, limitKeyChecks } = options;
  const schema = { params: idParams, response: { 200: botAnswer } };

  app.post('/trading-bots/:id/stop', { schema: { ...schema, body: stopBotBody } }, async (request) => {
    const id = pathId(request);
    const mode = request.body?.mode ?? 'close';
    return changeBot(options, request, (tx, userId) => bots.stop(tx, userId, id, mode));
  });

  app.post('/trading-bots/:id/close', { schema: { ...schema, body: closeBotBody } }, async (request) => {
    const id = pathId(request);
    return changeBot(options, request, (tx, userId) => bots.close(tx, userId, id, request.body?.position_id));
  });

  for (const action of ['start', 'pause', 'resume'] as const) {
    app.post(`/trading-bots/:id/${action}`, { schema }, async (request) => {
      const id = pathId(request);
      if (action === 'start') {
        await guardLive(options, request, id);
        await limitKeyChecks(identityOf(request).userId);
      }
      return changeBot(options, request, (tx, userId) => bots[action](tx, userId, id));
    });
  }
}

function addDeleteRoute(app: App, options: CommandOptions): void {
  const { db, bots } = options;
  app.delete('/trading-bots/:id', { schema: { params: idParams, response: { 200: botRemovedAnswer } } }, async (request) => {
    const id = pathId(request);
    const { userId } = identityOf(request);
    await guardLive(options, request, id);
    await bots.closeBot(userId, id);
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      await bots.remove(tx, userId, id);
      return { status: 200, body: { status: 200, data: { bot_id: id } } };
    });
    return z.parse(botRemovedAnswer, answer.body);
  });
}
