import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { devicesAnswer, endSessionBody, reAuthenticateBody } from '#contract/account/sessions.ts';
import { uuid } from '#contract/chat/archive.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Audit } from '#server/audit.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { unauthorized } from '#server/http/errors.ts';
import { networksOf } from '#server/http/network.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import type { Devices } from './devices.ts';
import type { Proofs } from './proofs.ts';
import type { Sessions } from './sessions.ts';

const changes = { rateLimit: { max: 60, timeWindow: MINUTE } };

interface Parts {
  sessions: Sessions;
  devices: Devices;
  proofs: Proofs;
  audit: Audit;
}

/** Registers the device list, password confirmation, and ending the session of a device that signed out offline. */
export function sessionRoutes(scope: FastifyInstance, { sessions, devices, proofs, audit }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get('/auth/sessions', { schema: { response: { 200: devicesAnswer } } }, async (request) => ({
    status: 200,
    data: await devices.list(identityOf(request)),
  }));

  app.delete('/auth/sessions/:id', { schema: { params: idParams, response: { 200: messageAnswer } }, config: changes }, async (request) => {
    const identity = identityOf(request);
    await devices.end(identity, pathId(request));
    audit.note('session-ended', { userId: identity.userId, network: networksOf(request.ip).wide, about: 'one device' });
    return { status: 200, message: 'The device is signed out.' };
  });

  app.delete('/auth/sessions', { schema: { response: { 200: messageAnswer } }, config: changes }, async (request) => {
    const identity = identityOf(request);
    const count = await devices.endOthers(identity);
    audit.note('session-ended', { userId: identity.userId, network: networksOf(request.ip).wide, about: `${count} other devices` });
    return { status: 200, message: 'All other devices are signed out.' };
  });

  app.post(
    '/auth/re-authenticate',
    { schema: { body: reAuthenticateBody, response: { 200: messageAnswer } }, config: changes },
    async (request) => {
      await proofs.prove(identityOf(request), request.body.password, networksOf(request.ip));
      return { status: 200, message: 'Your password is confirmed.' };
    },
  );

  app.post(
    '/auth/end-session',
    { schema: { body: endSessionBody, response: { 200: messageAnswer } }, config: { public: true, ...changes } },
    async (request) => {
      const id = z.safeParse(uuid, request.body.session_id);
      const userId = id.success ? await sessions.endByHash(id.data.toLowerCase(), request.body.token_hash) : undefined;
      if (userId === undefined) throw unauthorized('This session has ended.');
      audit.note('sign-out', { userId, network: networksOf(request.ip).wide, about: 'late' });
      return { status: 200, message: 'You are logged out.' };
    },
  );
}
