import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest, Problem } from '../errors.ts';
import { rejectNul } from '../reject-nul.ts';
import { isForm } from './is-form.ts';
import type { Uploads } from './uploads.ts';

/** Limits of a form's text fields, in bytes and counts. */
const TEXT_LIMITS = { fields: 20, fieldSize: 16_384, fieldNameSize: 100, headerPairs: 20 };
/** Bytes of all text fields of a form together, well above what the app sends. */
const MAX_TEXT = 128 * 1024;

const tooLarge = () => new Problem(413, 'too_large', 'That is too large to send.');

/**
 * Parses multipart forms in this scope: text fields are strings, files are `UploadedFile`s, repeated names are lists.
 * `fileSize` in bytes. Throws 413 beyond a limit, 400 for a broken form, 429 and 503 for too many uploads at once.
 */
export async function readForms(
  scope: FastifyInstance,
  { uploads, ...limits }: { files: number; fileSize: number; uploads: Uploads },
): Promise<void> {
  await scope.register(multipart, { limits: { ...TEXT_LIMITS, ...limits, parts: TEXT_LIMITS.fields + limits.files } });

  // After all onRequest hooks: the user is known and rate limits have counted.
  scope.addHook('preParsing', async (request, reply) => {
    // Bodies of reads are ignored, so they get no upload slot.
    if (!isForm(request) || request.method === 'GET' || request.method === 'HEAD') return;
    if (Number(request.headers['content-length'] ?? 0) > limits.files * limits.fileSize + MAX_TEXT) throw tooLarge();
    if (limits.files > 0) uploads.admit(request, reply);
  });

  scope.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    const read = () => bodyOf(request, uploads);
    request.body = await (uploads.of(request)?.during(read) ?? read()).catch((error: unknown) => {
      // The parser's own errors have no status code; the plugin's do. A full disk is no fault of the form: devices send it again.
      const known = error instanceof Error && ('statusCode' in error || 'syscall' in error);
      throw known || error instanceof Problem ? error : badRequest('form', 'The form could not be read.');
    });
  });
  // The outer scope's hook ran before this scope parsed the body.
  rejectNul(scope);

  scope.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      const handle = async () => handler.call(this, request, reply);
      return uploads.of(request)?.during(handle) ?? handle();
    };
  });
}

async function bodyOf(request: FastifyRequest, uploads: Uploads): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown[]>();
  let text = 0;
  for await (const part of request.parts()) {
    const value = part.type === 'file' ? await uploads.of(request)?.save(part.file) : part.value;
    if (part.type === 'file' ? part.file.truncated : part.valueTruncated) throw tooLarge();
    if (typeof value === 'string') text += value.length;
    if (text > MAX_TEXT) throw tooLarge();
    fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), value]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}
