import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, lastingFaultOf } from '../db/database-errors.ts';
import { BlobStoreAwayError } from '../ports/blobs/blob-store.ts';
import { BUSY, badRequest, notFound, Problem, unavailable } from './errors.ts';
import { isForm } from './forms/is-form.ts';

/** Time for which a refused body is still read, ms, so that the sender receives the response. */
const DRAIN_MS = 5000;

const DATABASE_AWAY = 'database_away';
const PICTURES_AWAY = 'pictures_away';
/** Log text of problems with a service that is away. */
const AWAY: Readonly<Record<string, string>> = { [DATABASE_AWAY]: 'the database is away', [PICTURES_AWAY]: 'the blob store is away' };
/** Retry-After of problems that end by themselves, seconds. */
const RETRY_AFTER: Readonly<Record<string, number>> = { [DATABASE_AWAY]: 3, [PICTURES_AWAY]: 5, [BUSY]: 5 };

/** Turns any error of a route into a contract error. */
export async function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const problem = problemOf(error);
  if (!problem) request.log.error({ err: error }, 'request failed');
  const away = problem ? AWAY[problem.code] : undefined;
  if (away !== undefined) request.log.warn({ err: error }, lastingFaultOf(error) ?? away);
  const retryAfter = problem && RETRY_AFTER[problem.code];
  if (retryAfter !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfter);
  if (problem?.status === 413 || isForm(request)) await drain(request);
  // Otherwise a sender that never finishes its body would keep the connection open.
  if (!request.raw.complete) reply.header('connection', 'close');
  sendProblem(reply, problem ?? new Problem(500, 'internal', 'Something went wrong on our side. Please try again.'));
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.status).type('application/json; charset=utf-8').send(JSON.stringify(problem.body()));
}

/** Returns what the caller may see of an error; null for internal errors. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error)) return unavailable(DATABASE_AWAY, 'We cannot reach our data right now. Please try again in a moment.');
  if (error instanceof BlobStoreAwayError)
    return unavailable(PICTURES_AWAY, 'We cannot reach the stored pictures right now. Please try again in a moment.');
  if (!isFastifyError(error)) return null;
  if (error.validation) return validationProblem(error.validation.map((issue) => ({ path: issue.instancePath, message: issue.message })));
  const status = error.statusCode ?? 500;
  if (status === 404) return notFound();
  if (status === 413) return new Problem(413, 'too_large', 'That is too large to send.');
  if (status === 415) return new Problem(415, 'unsupported_media_type', 'This call takes JSON.');
  if (status >= 400 && status < 500) return new Problem(status, 'bad_request', 'The request could not be understood.');
  return null;
}

/** Returns a 400 with the first issue of each field. Forms show the first of all as the message. */
export function validationProblem(issues: readonly { path: string; message?: string | undefined }[]): Problem {
  const fields = new Map<string, string>();
  for (const { path, message = 'Not valid' } of issues) {
    const field = path.split('/').filter(Boolean).join('.');
    if (field && !fields.has(field)) fields.set(field, message);
  }
  return badRequest('validation', fields.values().next().value ?? 'The request could not be understood.', {
    fields: Object.fromEntries(fields),
  });
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && ('statusCode' in error || 'validation' in error);
}

/** Reads the rest of the body: responding while the sender writes would reset the connection and lose the response. */
function drain(request: FastifyRequest): Promise<void> {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, DRAIN_MS);
    function done() {
      clearTimeout(timer);
      raw.off('end', done).off('close', done);
      resolve();
    }
    raw.unpipe();
    raw.once('end', done).once('close', done).resume();
  });
}
