import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { loginBody, logoutBody, refreshBody, registerAnswer, registerBody } from '#contract/account/account.ts';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Audit } from '#server/audit.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { networksOf } from '#server/http/network.ts';
import { codeRoutes } from './codes/code-routes.ts';
import { createMailLimits, limitByAccountAndNetwork } from './codes/limits.ts';
import type { Accounts } from './service.ts';
import { clientOf } from './sessions/client.ts';
import type { Sessions } from './sessions/sessions.ts';

/** Limits per network. Households and mobile carriers share one, so these only stop scripts; account limits protect accounts. */
const LIMITS = {
  register: { max: 120, timeWindow: 10 * MINUTE },
  login: { max: 60, timeWindow: MINUTE },
  session: { max: 120, timeWindow: MINUTE },
};
/** Password tries of one network on one account. Each network has its own limit, so that an attacker cannot lock the owner out. */
const PASSWORDS = { name: 'passwords by network', max: 20, timeWindow: 5 * MINUTE };

/** Registers sign-up, login, token refresh and logout. */
export function accountRoutes(
  scope: FastifyInstance,
  { accounts, sessions, audit }: { accounts: Accounts; sessions: Sessions; audit: Audit },
): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const limitPasswords = limitByAccountAndNetwork(app, PASSWORDS);
  const mailLimits = createMailLimits(app);
  const open = (rateLimit: { max: number; timeWindow: number }) => ({ public: true, rateLimit });

  codeRoutes(app, { accounts, mailLimits });

  app.post(
    '/auth/register',
    {
      schema: { body: registerBody, response: { 201: registerAnswer } },
      config: open(LIMITS.register),
      preHandler: [mailLimits.byNetwork, mailLimits.refuseByAccount],
    },
    async (request, reply) => {
      const user = await accounts.verification.register(request.body, networksOf(request.ip));
      return reply.code(201).send({ status: 201, message: 'We mailed you a verification code.', data: [user] });
    },
  );

  app.post(
    '/auth/login',
    { schema: { body: loginBody, response: { 200: tokensAnswer } }, config: open(LIMITS.login), preHandler: limitPasswords },
    async (request) => ({ status: 200, data: await accounts.login(request.body, clientOf(request), networksOf(request.ip)) }),
  );

  app.post(
    '/auth/refresh-token',
    { schema: { body: refreshBody, response: { 200: tokensAnswer } }, config: open(LIMITS.session) },
    async (request) => ({ status: 200, data: await sessions.refresh(request.body.refreshToken) }),
  );

  app.post(
    '/auth/logout',
    { schema: { body: logoutBody, response: { 200: messageAnswer } }, config: { rateLimit: LIMITS.session } },
    async (request) => {
      const identity = identityOf(request);
      await sessions.end(identity, request.body.refreshToken);
      audit.note('sign-out', { userId: identity.userId, network: networksOf(request.ip).wide });
      return { status: 200, message: 'You are logged out.' };
    },
  );
}
