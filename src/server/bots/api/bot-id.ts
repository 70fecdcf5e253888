import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { uuid } from '#contract/chat/archive.ts';
import { idText } from '#contract/text.ts';
import { notFound } from '#server/http/errors.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export const botParams = z.object({ id: idText });

/** Returns the bot's id of a request. Throws 404 for text that is no id. */
export function botIdOf(request: FastifyRequest): string {
  const id = z.safeParse(uuid, (request.params as z.infer<typeof botParams>).id);
  if (!id.success) throw notFound();
  return id.data;
}
