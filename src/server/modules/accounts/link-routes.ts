import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { MINUTE } from '../../../domain/clock';
import { html, sendPage } from '../../http/html';
import type { Accounts } from './service';

const params = z.object({ token: z.string().check(z.maxLength(100)) });
const config = { public: true, rateLimit: { max: 60, timeWindow: MINUTE } };

/**
 * The mailed link that helps where codes are used up. Following it only shows a button, because programs that
 * look through mail follow links too.
 */
export function verifyLinkRoutes(api: FastifyInstance, { accounts, publicUrl }: { accounts: Accounts; publicUrl: string }): void {
  api.register(async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>();
    // What a browser sends for a form without fields.
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null));

    app.get('/auth/verify-link/:token', { schema: { params }, config }, async (_request, reply) =>
      sendPage(
        reply,
        200,
        'Verify your address',
        html`<p>One more step, so that we know it is you.</p><form method="post"><button type="submit">Verify</button></form>`,
      ),
    );

    app.post('/auth/verify-link/:token', { schema: { params }, config }, async (request, reply) => {
      await accounts.verifyLink(request.params.token);
      return sendPage(reply, 200, 'Your address is verified', html`<p><a href="${publicUrl}/login">Log in</a></p>`);
    });
  });
}
