import type { FastifyRequest } from 'fastify';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';

/** Returns the signed-in user's id, which the path names too. Throws 404 for another one. */
export function ownId(request: FastifyRequest, userId: string): string {
  const own = identityOf(request).userId;
  if (userId !== own) throw notFound();
  return own;
}
