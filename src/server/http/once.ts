import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db, Tx } from '../db/open';
import { idempotency } from '../db/schema';
import { identityOf } from './authenticate';
import { badRequest, Problem } from './errors';

export interface Answer {
  status: number;
  body: unknown;
}

const KEY = /^[\x21-\x7e]{1,128}$/;

/**
 * Runs a change in a transaction and keeps its answer there under the request's `Idempotency-Key`, so that whoever
 * sends the same key again gets the first answer and changes nothing. Without a key it only runs the transaction.
 * A change that throws keeps nothing and may be tried again. The same key over another route or body answers 422;
 * `sent` is what tells bodies apart, where the body itself is too large or too secret for that.
 */
export async function once(
  db: Db,
  request: FastifyRequest,
  run: (tx: Tx) => Promise<Answer>,
  sent: unknown = request.body ?? null,
): Promise<Answer> {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return db.transaction(run);
  if (typeof key !== 'string' || !KEY.test(key)) throw badRequest('idempotency_key', 'The Idempotency-Key is not valid.');

  const { userId } = identityOf(request);
  const route = `${request.method} ${request.url.split('?', 1)[0]?.replace(/\/+$/, '')}`;
  const requestHash = createHash('sha256').update(JSON.stringify(sent)).digest('hex');
  const mine = and(eq(idempotency.userId, userId), eq(idempotency.key, key));

  return db.transaction(async (tx) => {
    // The key's row comes first: a second request with it waits here until the first has ended.
    const claimed = await tx
      .insert(idempotency)
      .values({ userId, key, route, requestHash, status: 0, answer: {} })
      .onConflictDoNothing()
      .returning({ key: idempotency.key });
    if (claimed.length > 0) {
      const answer = await run(tx);
      await tx.update(idempotency).set({ status: answer.status, answer: answer.body }).where(mine);
      return answer;
    }
    const [first] = await tx.select().from(idempotency).where(mine);
    if (first?.route !== route || first.requestHash !== requestHash) {
      throw new Problem(422, 'idempotency_key_reused', 'This Idempotency-Key belongs to another request.');
    }
    return { status: first.status, body: first.answer };
  });
}
