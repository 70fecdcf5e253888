import type { FastifyInstance } from 'fastify';
import { badRequest } from './errors.ts';

/** Refuses NUL characters, which PostgreSQL text cannot store. */
export function rejectNul(scope: FastifyInstance): void {
  scope.addHook('preValidation', async (request) => {
    if ([request.params, request.query, request.body].some(holdsNul)) {
      throw badRequest('validation', 'Text must not contain NUL characters.', { fields: {} });
    }
  });
}

/** Searches keys and values without recursion: a body may be nested deeper than the stack. */
function holdsNul(value: unknown): boolean {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' && next.includes('\0')) return true;
    if (typeof next === 'object' && next !== null && !Buffer.isBuffer(next)) {
      for (const [key, inner] of Object.entries(next)) waiting.push(key, inner);
    }
  }
  return false;
}
