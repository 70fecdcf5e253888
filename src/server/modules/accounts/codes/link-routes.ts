import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { password } from '#contract/account/account.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { atMost } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import { Problem } from '#server/http/errors.ts';
import { html, sendPage } from '#server/http/html.ts';
import { networksOf } from '#server/http/network.ts';
import { minuteOf } from '../mails.ts';
import type { Accounts } from '../service.ts';
import { LINK_PATHS } from './links.ts';

const params = z.object({ token: z.string().check(atMost(100)) });
const config = { public: true, rateLimit: { max: 60, timeWindow: MINUTE } };
const resetForm = z.object({ newPassword: password });
/** Bytes of a submitted form. */
const FORM_LIMIT = 4096;

/** Registers the mailed links. Opening one only shows a form, because mail scanners open links too. */
export function mailedLinkRoutes(api: FastifyInstance, { accounts, publicUrl }: { accounts: Accounts; publicUrl: string }): void {
  api.register(async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const { verification, recovery } = accounts;
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    // The URLs of these pages contain a secret, so they must not become a referrer.
    app.addHook('onRequest', async (_request, reply) => void reply.header('referrer-policy', 'no-referrer'));
    app.setErrorHandler(async (error, _request, reply) => {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      return sendPage(
        reply,
        404,
        'This link is no longer valid',
        html`<p>A link works once, for 24 hours. <a href="${publicUrl}/login">Log in</a>, or ask for a new mail there.</p>`,
      );
    });
    const logIn = html`<p><a href="${publicUrl}/login">Log in</a></p>`;

    const verifyLink = `${LINK_PATHS['verify-email']}/:token`;
    app.get(verifyLink, { schema: { params }, config }, async (request, reply) => {
      const { firstName, lastName, createdAt } = await verification.ofLink(request.params.token);
      return sendPage(
        reply,
        200,
        'Verify your address',
        html`<p>Did you sign up as ${firstName} ${lastName} on ${minuteOf(createdAt)}?</p>
          <form method="post"><button type="submit">Verify</button></form>
          <p>If this was not you, close this page.</p>`,
      );
    });
    app.post(verifyLink, { schema: { params }, config }, async (request, reply) => {
      await verification.verifyByLink(request.params.token, networksOf(request.ip));
      return sendPage(reply, 200, 'Your address is verified', logIn);
    });

    const resetLink = `${LINK_PATHS['reset-password']}/:token`;
    app.get(resetLink, { schema: { params }, config }, async (request, reply) => {
      await recovery.checkLink(request.params.token);
      return sendResetForm(reply, 200, MESSAGES.passwordRule);
    });
    app.post(resetLink, { schema: { params }, config }, async (request, reply) => {
      await recovery.checkLink(request.params.token);
      const form = z.safeParse(resetForm, request.body);
      if (!form.success) return sendResetForm(reply, 400, form.error.issues[0]?.message ?? MESSAGES.passwordRule);
      await recovery.resetByLink(request.params.token, form.data.newPassword, networksOf(request.ip));
      return sendPage(reply, 200, 'Your password is set', logIn);
    });
  });
}

/** Shows the form for a new password here, so that the token never enters the app. */
const sendResetForm = (reply: FastifyReply, status: number, hint: string) =>
  sendPage(
    reply,
    status,
    'Reset Password',
    html`<p>Please type your new password.</p>
      <form method="post">
        <p><label>New Password <input type="password" name="newPassword" autocomplete="new-password" required aria-describedby="hint"></label></p>
        <p id="hint" role="${status === 200 ? 'note' : 'alert'}">${hint}</p>
        <button type="submit">Set New Password</button>
      </form>`,
  );
