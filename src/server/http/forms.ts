import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest, Problem } from './errors';
import { rejectNul } from './reject-nul';

/** Bytes and counts of what a form may hold beside its files. */
const TEXT_LIMITS = { fields: 20, fieldSize: 16_384, fieldNameSize: 100, headerPairs: 20 };

/**
 * Makes multipart forms the bodies of this scope's requests: a text field is a string, a file a Buffer, and a name that
 * comes more than once a list of them. `fileSize` in bytes. 413 beyond a limit, 400 for a form that ends too soon.
 */
export async function readForms(scope: FastifyInstance, limits: { files: number; fileSize: number }): Promise<void> {
  await scope.register(multipart, { limits: { ...TEXT_LIMITS, ...limits, parts: TEXT_LIMITS.fields + limits.files } });
  scope.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    request.body = await bodyOf(request).catch((error: unknown) => {
      // The parser's own complaints have no status; the plugin's do.
      const known = error instanceof Error && 'statusCode' in error;
      throw known || error instanceof Problem ? error : badRequest('form', 'The form could not be read.');
    });
  });
  // Of this scope's bodies the outer hook saw nothing yet.
  rejectNul(scope);
}

async function bodyOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown[]>();
  for await (const part of request.parts()) {
    if (part.type === 'field' && part.valueTruncated) throw new Problem(413, 'too_large', 'That is too large to send.');
    const value = part.type === 'file' ? await part.toBuffer() : part.value;
    fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), value]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}
