import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { password } from '../../../../contract/account';
import { MESSAGES } from '../../../../contract/account-rules';
import { atMost } from '../../../../contract/text';
import { MINUTE } from '../../../../domain/clock';
import { html, sendPage } from '../../../http/html';
import type { Accounts } from '../service';
import { LINK_PATHS } from './mailed-codes';

const params = z.object({ token: z.string().check(atMost(100)) });
const config = { public: true, rateLimit: { max: 60, timeWindow: MINUTE } };
const resetForm = z.object({ newPassword: password });

/**
 * The mailed links that help where codes are used up. Following one only shows a form, because programs that look
 * through mail follow links too.
 */
export function mailedLinkRoutes(api: FastifyInstance, { accounts, publicUrl }: { accounts: Accounts; publicUrl: string }): void {
  api.register(async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>();
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const logIn = html`<p><a href="${publicUrl}/login">Log in</a></p>`;

    const verifyLink = `${LINK_PATHS['verify-email']}/:token`;
    app.get(verifyLink, { schema: { params }, config }, async (_request, reply) =>
      sendPage(
        reply,
        200,
        'Verify your address',
        html`<p>One more step, so that we know it is you.</p><form method="post"><button type="submit">Verify</button></form>`,
      ),
    );
    app.post(verifyLink, { schema: { params }, config }, async (request, reply) => {
      await accounts.verifyLink(request.params.token);
      return sendPage(reply, 200, 'Your address is verified', logIn);
    });

    const resetLink = `${LINK_PATHS['reset-password']}/:token`;
    app.get(resetLink, { schema: { params }, config }, async (request, reply) => {
      await accounts.recovery.checkLink(request.params.token);
      return sendResetForm(reply, 200, MESSAGES.passwordRule);
    });
    app.post(resetLink, { schema: { params }, config }, async (request, reply) => {
      await accounts.recovery.checkLink(request.params.token);
      const form = z.safeParse(resetForm, request.body);
      if (!form.success) return sendResetForm(reply, 400, form.error.issues[0]?.message ?? MESSAGES.passwordRule);
      await accounts.recovery.resetByLink(request.params.token, form.data.newPassword);
      return sendPage(reply, 200, 'Your password is set', logIn);
    });
  });
}

/** The new password is asked for here and now: no token has to find its way into the app. */
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
