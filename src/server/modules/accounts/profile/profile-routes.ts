import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { profileUpdateBody } from '#contract/account/profile.ts';
import { userAnswer } from '#contract/account/user.ts';
import { MAX_PROFILE_PICTURE_BYTES } from '#contract/pictures.ts';
import { idText } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { type DemandProof, identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { readForms } from '#server/http/forms/read-forms.ts';
import { UploadedFile, type Uploads } from '#server/http/forms/uploads.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import type { Profiles } from './profiles.ts';

/** Rate limit per account, because each change may decode a picture and hash a password. */
const CHANGES = { name: 'profile changes', max: 30, timeWindow: 10 * MINUTE };

const params = z.object({ userId: idText });
const body = z.extend(profileUpdateBody, {
  profile_picture: z.optional(z.instanceof(UploadedFile, { error: 'The photo must be a file.' })),
});

/** Registers the signed-in user's own profile. */
export function profileRoutes(
  api: FastifyInstance,
  options: { db: Db; uploads: Uploads; profiles: Profiles; secretsKey: string; demandProof: DemandProof },
): void {
  const { db, uploads, profiles, demandProof } = options;

  api.register(async (scope) => {
    await readForms(scope, { files: 1, fileSize: MAX_PROFILE_PICTURE_BYTES, uploads });
    const app = scope.withTypeProvider<ZodTypeProvider>();
    const limitChanges = limitBy(app, CHANGES, (request) => identityOf(request).userId);

    app.get('/auth/user/:userId', { schema: { params, response: { 200: userAnswer } } }, async (request) => ({
      status: 200,
      data: await profiles.read(ownId(request, request.params.userId)),
    }));

    app.patch(
      '/auth/user/:userId',
      { schema: { params, body, response: { 200: userAnswer } }, onRequest: limitChanges },
      async (request) => {
        ownId(request, request.params.userId);
        ownId(request, request.body.user_id);
        const { profile_picture: picture, ...fields } = request.body;
        if (fields.password !== undefined) await demandProof(identityOf(request));
        const prepared = await profiles.prepare(fields, picture);
        let tell = (): void => undefined;
        const answer = await profiles.keepPicture(prepared, (stored) =>
          withIdempotencyKey(
            db,
            request,
            async (tx) => {
              const changed = await profiles.change(tx, identityOf(request), prepared, stored);
              tell = changed.tell;
              return { status: 200, body: { status: 200, data: changed.user } };
            },
            { sent: { ...fields, password: fields.password && keyed(fields.password), picture: picture?.hash } },
          ),
        );
        tell();
        return userAnswer.parse(answer.body);
      },
    );

    app.get('/auth/user/:userId/picture', { schema: { params } }, async (request, reply) => {
      const picture = await profiles.picture(ownId(request, request.params.userId));
      if (!picture) throw notFound();
      const etag = `"${picture.version}"`;
      // Revalidated with the bearer token each time, so that the browser's next user does not see a cached picture.
      reply.header('cache-control', 'private, no-cache').header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type('image/webp').send(picture.webp);
    });
  });

  /** Keyed, so that a stored digest of the password is useless without the server's key. */
  const keyed = (password: string) => createHmac('sha256', options.secretsKey).update(password).digest('base64url');
}

function ownId(request: FastifyRequest, userId: string): string {
  const own = identityOf(request).userId;
  if (userId !== own) throw notFound();
  return own;
}
