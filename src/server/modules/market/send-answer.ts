import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CompressedAnswer, chooseEncoding, matchesEtag } from './compressed-answer.ts';

/** Sends the cached bytes in the best encoding that the caller accepts. */
export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: CompressedAnswer): Promise<FastifyReply> {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return varyByEncoding(reply)
    .type('application/json; charset=utf-8')
    .send(await answer.bytes(encoding));
}

/** Sends an answer to a GET, or 304 to a caller whose own cache has it. */
export async function sendRevalidated(request: FastifyRequest, reply: FastifyReply, answer: CompressedAnswer): Promise<FastifyReply> {
  reply.header('cache-control', 'private, no-cache').header('etag', answer.etag);
  if (matchesEtag(request.headers['if-none-match'], answer.etag)) return varyByEncoding(reply).code(304).send();
  return sendAnswer(request, reply, answer);
}

/** Adds Accept-Encoding to the Vary header that CORS may have set. */
function varyByEncoding(reply: FastifyReply): FastifyReply {
  const vary = reply.getHeader('vary');
  return reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding');
}
