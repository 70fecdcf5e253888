import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  confirmOptionsAnswer,
  creationOptionsAnswer,
  passkeyAnswer,
  passkeyNameBody,
  passkeysAnswer,
  registerPasskeyBody,
  requestOptionsAnswer,
  usePasskeyBody,
} from '#contract/account/passkeys.ts';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { MINUTE } from '#domain/clock.ts';
import { type DemandProof, identityOf } from '#server/http/authenticate.ts';
import { networkOf, networksOf } from '#server/http/network.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { clientOf } from '../sessions/client.ts';
import type { PasskeyAccess } from './access.ts';
import type { Passkeys } from './passkeys.ts';

/** Limits per network before the sign-in, then per user. */
const LIMITS = {
  signIn: { max: 60, timeWindow: MINUTE },
  options: { max: 30, timeWindow: 5 * MINUTE },
  changes: { max: 60, timeWindow: MINUTE },
};
/** Sign-ins of one network with one passkey, as with one account's password. */
const SIGN_INS = { name: 'passkeys by network', max: 20, timeWindow: 5 * MINUTE };

interface Parts {
  passkeys: Passkeys;
  access: PasskeyAccess;
  demandProof: DemandProof;
}

/** Registers the list of a user's passkeys, and signing in and confirming by one. */
export function passkeyRoutes(scope: FastifyInstance, { passkeys, access, demandProof }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const asking = { config: { rateLimit: LIMITS.options } };
  const changing = { config: { rateLimit: LIMITS.changes } };
  const signingIn = { public: true, rateLimit: LIMITS.signIn };
  const limitSignIns = limitBy(app, SIGN_INS, (request) => {
    const { credential } = request.body as { credential: { id: string } };
    return `${networkOf(request.ip)} ${credential.id}`;
  });

  app.get('/auth/passkeys', { schema: { response: { 200: passkeysAnswer } } }, async (request) => ({
    status: 200,
    data: await passkeys.list(identityOf(request).userId),
  }));

  app.post('/auth/passkeys/options', { schema: { response: { 200: creationOptionsAnswer } }, ...asking }, async (request) => {
    const identity = identityOf(request);
    // A borrowed phone must not leave a passkey behind.
    await demandProof(identity);
    return { status: 200, data: await passkeys.creationOptions(identity) };
  });

  app.post(
    '/auth/passkeys',
    { schema: { body: registerPasskeyBody, response: { 201: passkeyAnswer } }, ...changing },
    async (request, reply) => {
      const { name } = clientOf(request);
      const added = await passkeys.add(identityOf(request), request.body.credential, name, networksOf(request.ip));
      return reply.code(201).send({ status: 201, data: added });
    },
  );

  app.patch(
    '/auth/passkeys/:id',
    { schema: { params: idParams, body: passkeyNameBody, response: { 200: passkeyAnswer } }, ...changing },
    async (request) => ({ status: 200, data: await passkeys.rename(identityOf(request).userId, pathId(request), request.body.name) }),
  );

  app.delete('/auth/passkeys/:id', { schema: { params: idParams, response: { 200: messageAnswer } }, ...changing }, async (request) => {
    await passkeys.remove(identityOf(request).userId, pathId(request), networksOf(request.ip));
    return { status: 200, message: 'The passkey is removed.' };
  });

  app.post('/auth/passkeys/sign-in-options', { schema: { response: { 200: requestOptionsAnswer } }, config: signingIn }, async () => ({
    status: 200,
    data: await access.signInOptions(),
  }));

  app.post(
    '/auth/passkeys/sign-in',
    { schema: { body: usePasskeyBody, response: { 200: tokensAnswer } }, config: signingIn, preHandler: limitSignIns },
    async (request) => ({ status: 200, data: await access.signIn(request.body.credential, clientOf(request), networksOf(request.ip)) }),
  );

  app.post('/auth/passkeys/confirm-options', { schema: { response: { 200: confirmOptionsAnswer } }, ...asking }, async (request) => ({
    status: 200,
    data: await access.confirmOptions(identityOf(request)),
  }));

  app.post(
    '/auth/passkeys/confirm',
    { schema: { body: usePasskeyBody, response: { 200: messageAnswer } }, ...changing },
    async (request) => {
      await access.confirm(identityOf(request), request.body.credential, networksOf(request.ip));
      return { status: 200, message: 'It is confirmed that it’s you.' };
    },
  );
}
