import type { FastifyInstance } from 'fastify';
import { MAX_SHARED_BYTES, SHARE_PATH } from '#contract/share.ts';
import { MINUTE } from '#domain/clock.ts';
import { Problem } from '../errors.ts';
import { html, sendPage } from '../html.ts';

/** Bytes of a form beside its picture. */
const AROUND = 64 * 1024;
/** Shares in flight in this process: each is in memory. */
const AT_ONCE = 8;
const PER_NETWORK = { max: 20, timeWindow: MINUTE };
const FORM = /^multipart\/form-data; ?boundary=[\w'()+,./:=?" -]{1,80}$/i;

const REFUSALS: Record<number, readonly [title: string, text: string]> = {
  403: ['Share it again from the app', 'Another site sent this. To share a picture, use the Share menu of its own app.'],
  413: ['This picture is too large', 'Share a picture of at most 10 MB.'],
  415: ['This could not be read', 'Share a picture or a text, or attach it to a new chat.'],
  429: ['Too many shares', 'Wait a minute, then share it again.'],
  503: ['Sharing is busy', 'Wait a moment, then share it again.'],
};

/**
 * Answers what another app shares to a browser without the worker. The server keeps nothing, and knows no user here: its page has the
 * form's bytes, and a script puts them on the device, as the worker would have.
 */
export async function serveShares(app: FastifyInstance): Promise<void> {
  let inFlight = 0;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(/^multipart\/form-data/i, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const refused = error instanceof Problem ? error.status : error.statusCode;
      if (refused === undefined) request.log.error({ err: error }, 'a share failed');
      const status = refused !== undefined && refused in REFUSALS ? refused : 415;
      const [title, text] = REFUSALS[status] ?? ['', ''];
      return sendPage(reply, status, title, html`<p>${text}</p><p><a href="/chat">Open a new chat</a></p>`);
    });
    scope.addHook('onRequest', async (request, reply) => {
      // A share comes from the system, not from a page.
      const site = request.headers['sec-fetch-site'] ?? 'none';
      if (site !== 'none' && site !== 'same-origin') throw refusal(403);
      if (inFlight >= AT_ONCE) throw refusal(503);
      inFlight += 1;
      reply.raw.once('close', () => {
        inFlight -= 1;
      });
    });
    scope.post(
      SHARE_PATH,
      { bodyLimit: MAX_SHARED_BYTES + AROUND, config: { rateLimit: PER_NETWORK } },
      async ({ body, headers }, reply) => {
        const type = headers['content-type'] ?? '';
        if (!FORM.test(type) || !Buffer.isBuffer(body) || body.length === 0) throw refusal(415);
        return sendPage(
          reply,
          200,
          'Opening your share',
          html`<p>A new chat opens with it.</p>
<noscript><p>Turn on JavaScript, then share it again.</p></noscript>
<textarea hidden readonly data-type="${type}">${body.toString('base64')}</textarea>
<script src="/share.js"></script>`,
        );
      },
    );
  });
}

const refusal = (statusCode: number) => Object.assign(new Error('refused'), { statusCode });
