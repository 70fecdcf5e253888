import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  archiveLinksAnswer,
  createLinkBody,
  linkAnswer,
  linksAnswer,
  sharedChatAnswer,
  sharedChatBody,
  sharedPictureBody,
} from '#contract/chat/chat-links.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { ChatLinks } from './service.ts';

/** Copies per account. */
const COPIES = { name: 'links to chats', max: 60, timeWindow: 10 * MINUTE };
/** Opened links and their pictures per network. */
const OPENED = { public: true, rateLimit: { max: 60, timeWindow: MINUTE } };
const PICTURES = { public: true, rateLimit: { max: 300, timeWindow: MINUTE } };
/** Bytes of a request with a token. */
const BODY_LIMIT = 2048;

interface Options {
  db: Db;
  links: ChatLinks;
  /** Opens a user's stored picture; undefined if it is gone. */
  openPicture: (userId: string, imageId: string) => Promise<{ type: string; content: Readable } | undefined>;
}

/** Routes that share chats by links, and the public ones that open a link. */
export function chatLinkRoutes(api: FastifyInstance, options: Options): void {
  ownerRoutes(api, options);
  api.register(async (scope) => publicLinkRoutes(scope, options));
}

function ownerRoutes(scope: FastifyInstance, { db, links }: Options): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const limitCopies = limitBy(app, COPIES, (request) => identityOf(request).userId);

  app.get('/chat-links', { schema: { response: { 200: linksAnswer } } }, async (request) => ({
    status: 200,
    data: await links.list(identityOf(request).userId),
  }));

  app.get('/archive/:id/links', { schema: { params: idParams, response: { 200: archiveLinksAnswer } } }, async (request) => ({
    status: 200,
    data: await links.ofChat(identityOf(request).userId, pathId(request)),
  }));

  app.post(
    '/archive/:id/links',
    { schema: { params: idParams, body: createLinkBody, response: { 201: linkAnswer } }, preHandler: limitCopies },
    async (request, reply) => {
      const id = pathId(request);
      const body = { ...request.body, id: request.body.id.toLowerCase() };
      // The stored answer has no token.
      const answer = await withIdempotencyKey(db, request, async (tx) => ({
        status: 201,
        body: { status: 201, data: await links.create(tx, identityOf(request).userId, id, body) },
      }));
      return reply.code(201).send(z.parse(linkAnswer, answer.body));
    },
  );

  app.delete('/chat-links/:id', { schema: { params: idParams, response: { 200: messageAnswer } } }, async (request) => {
    const id = pathId(request);
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      await links.stop(tx, identityOf(request).userId, id);
      return { status: 200, body: { status: 200, message: 'The link opens nothing any more.' } };
    });
    return z.parse(messageAnswer, answer.body);
  });
}

function publicLinkRoutes(scope: FastifyInstance, { links, openPicture }: Options): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex');
  });

  app.post(
    '/shared-chat',
    { schema: { body: sharedChatBody, response: { 200: sharedChatAnswer } }, config: OPENED, bodyLimit: BODY_LIMIT },
    async (request) => ({ status: 200, data: await links.open(request.body.token) }),
  );

  app.post(
    '/shared-chat/picture',
    { schema: { body: sharedPictureBody }, config: PICTURES, bodyLimit: BODY_LIMIT },
    async (request, reply) => {
      const { userId, imageId } = await links.picture(request.body.token, request.body.place);
      const picture = await openPicture(userId, imageId);
      if (!picture) throw notFound('The picture is no longer there.');
      return reply.type(picture.type).send(picture.content);
    },
  );
}
