import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  forgotPasswordAnswer,
  forgotPasswordBody,
  recoveryGrantAnswer,
  resendBody,
  resetPasswordBody,
  verifyOtpBody,
  verifyRecoveryCodeBody,
} from '#contract/account/account.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { MINUTE } from '#domain/clock.ts';
import { networksOf } from '#server/http/network.ts';
import type { Accounts } from '../service.ts';
import type { MailLimits } from './limits.ts';

/** Limits per network. */
const LIMITS = {
  ask: { max: 30, timeWindow: 10 * MINUTE },
  verify: { max: 60, timeWindow: MINUTE },
};

/** Registers requesting and using mailed codes. */
export function codeRoutes(scope: FastifyInstance, { accounts, mailLimits }: { accounts: Accounts; mailLimits: MailLimits }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { recovery, verification } = accounts;
  const asking = { config: { public: true, rateLimit: LIMITS.ask }, preHandler: mailLimits.byNetwork };
  const verifying = { config: { public: true, rateLimit: LIMITS.verify } };

  app.post(
    '/auth/resend-verification-code',
    { schema: { body: resendBody, response: { 200: messageAnswer } }, ...asking },
    async (request) => {
      if (await mailLimits.mayMail(request)) verification.resend(request.body);
      return { status: 200, message: 'If this address is waiting to be verified, a new code is on its way.' };
    },
  );

  app.post(
    '/auth/forgot-password',
    { schema: { body: forgotPasswordBody, response: { 200: forgotPasswordAnswer } }, ...asking },
    async (request) => {
      const { email } = request.body;
      if (await mailLimits.mayMail(request)) recovery.forgotPassword(email);
      return { status: 200, message: 'If there is an account for this address, a code is on its way.', data: { email } };
    },
  );

  app.post('/auth/verify-otp', { schema: { body: verifyOtpBody, response: { 200: messageAnswer } }, ...verifying }, async (request) => {
    await verification.verify(request.body, networksOf(request.ip));
    return { status: 200, message: 'Your email address is verified.' };
  });

  app.post(
    '/auth/verify-recovery-code',
    { schema: { body: verifyRecoveryCodeBody, response: { 200: recoveryGrantAnswer } }, ...verifying },
    async (request) => {
      const recoveryCode = await recovery.verifyCode(request.body, networksOf(request.ip));
      return { status: 200, message: 'The code is correct.', data: { recoveryCode } };
    },
  );

  app.post(
    '/auth/reset-password',
    { schema: { body: resetPasswordBody, response: { 200: messageAnswer } }, ...verifying },
    async (request) => {
      await recovery.resetPassword(request.body, networksOf(request.ip));
      return { status: 200, message: 'Your password is set. You can log in with it now.' };
    },
  );
}
