import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  loginBody,
  logoutBody,
  refreshBody,
  registerAnswer,
  registerBody,
  resendBody,
  tokensAnswer,
  userAnswer,
  verifyOtpBody,
} from '../../../contract/account';
import { messageAnswer } from '../../../contract/envelope';
import { MINUTE } from '../../../domain/clock';
import { identityOf } from '../../http/authenticate';
import { notFound } from '../../http/errors';
import { limitBy } from '../../http/rate-limits';
import type { Accounts } from './service';
import type { Sessions } from './sessions';

/**
 * By address. Whole households and mobile carriers share one, so these stop a script and not a crowd;
 * what protects an account is counted by account.
 */
const LIMITS = {
  register: { max: 120, timeWindow: 10 * MINUTE },
  resend: { max: 30, timeWindow: 10 * MINUTE },
  login: { max: 60, timeWindow: MINUTE },
  verify: { max: 60, timeWindow: MINUTE },
  session: { max: 120, timeWindow: MINUTE },
};
/** Codes that can be mailed to one account: a person who waits out every countdown needs 6. */
const MAILS = { max: 8, timeWindow: 15 * MINUTE };
/** Passwords that one address can try on one account; another address has its own, so a stranger cannot lock anybody out. */
const PASSWORDS = { max: 20, timeWindow: 5 * MINUTE };

const MAX_ID = 64;

/** Spec §7: from signing up to logging out, and one's own profile. */
export function accountRoutes(scope: FastifyInstance, { accounts, sessions }: { accounts: Accounts; sessions: Sessions }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const limitMails = limitBy(app, MAILS, (request) => emailOf(request.body));
  const limitPasswords = limitBy(app, PASSWORDS, (request) => `${request.ip} ${emailOf(request.body)}`);
  const open = (rateLimit: { max: number; timeWindow: number }) => ({ public: true, rateLimit });

  app.post(
    '/auth/register',
    { schema: { body: registerBody, response: { 201: registerAnswer } }, config: open(LIMITS.register), preHandler: limitMails },
    async (request, reply) => {
      const user = await accounts.register(request.body);
      return reply.code(201).send({ status: 201, message: 'We mailed you a verification code.', data: [user] });
    },
  );

  app.post(
    '/auth/verify-otp',
    { schema: { body: verifyOtpBody, response: { 200: messageAnswer } }, config: open(LIMITS.verify) },
    async (request) => {
      await accounts.verifyOtp(request.body);
      return { status: 200, message: 'Your email address is verified.' };
    },
  );

  app.post(
    '/auth/resend-verification-code',
    { schema: { body: resendBody, response: { 200: messageAnswer } }, config: open(LIMITS.resend), preHandler: limitMails },
    async (request) => {
      accounts.resendCode(request.body.email);
      return { status: 200, message: 'If this address is waiting to be verified, a new code is on its way.' };
    },
  );

  app.post(
    '/auth/login',
    { schema: { body: loginBody, response: { 200: tokensAnswer } }, config: open(LIMITS.login), preHandler: limitPasswords },
    async (request) => ({ status: 200, data: await accounts.login(request.body) }),
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
      await sessions.end(identityOf(request).sessionId, request.body.refreshToken);
      return { status: 200, message: 'You are logged out.' };
    },
  );

  app.get(
    '/auth/user/:userId',
    { schema: { params: z.object({ userId: z.string().check(z.maxLength(MAX_ID)) }), response: { 200: userAnswer } } },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      return { status: 200, data: await accounts.profile(userId) };
    },
  );
}

/** The account a parsed body speaks of. */
function emailOf(body: unknown): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return String(email).toLowerCase();
}
