import { createHash } from 'node:crypto';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db, Tx } from '../db/open.ts';
import { idempotency } from '../db/schema/requests.ts';
import { identityOf } from './authenticate.ts';
import { badRequest, Problem } from './errors.ts';

export interface Answer {
  status: number;
  body: unknown;
}

interface Options {
  /** Compared instead of the body, where the body is too large or too secret to hash. */
  sent?: unknown;
  /** Reads the answer from the resource again, for routes whose answers may exceed `MAX_STORED`. */
  reread?: (tx: Tx) => Promise<Answer>;
}

const KEY = /^[\x21-\x7e]{1,128}$/;
/** Bytes up to which an answer is stored. For larger ones, only the hash is. */
const MAX_STORED = 4096;
/** Stored keys per user. Older ones are deleted. */
const MAX_KEYS = 1000;

/**
 * Runs a change in a transaction and stores its answer under the request's `Idempotency-Key`. The same key gets the stored answer.
 * Throws 422 for the same key with another route or body. Keys expire after seven days; a failed change stores nothing.
 */
export async function withIdempotencyKey(
  db: Db,
  request: FastifyRequest,
  run: (tx: Tx) => Promise<Answer>,
  options: Options = {},
): Promise<Answer> {
  const key = keyOf(request);
  if (key === undefined) return db.transaction(run);

  const { userId } = identityOf(request);
  const route = `${request.method} ${request.url.split('?', 1)[0]?.replace(/\/+$/, '')}`;
  const requestHash = sha256(JSON.stringify('sent' in options ? options.sent : (request.body ?? null)));
  const mine = and(eq(idempotency.userId, userId), eq(idempotency.key, key));

  return db.transaction(async (tx) => {
    // Insert the key first: a second request with it waits here until the first one ends.
    const claimed = await tx
      .insert(idempotency)
      .values({ userId, key, route, requestHash, status: 0, answer: {} })
      .onConflictDoNothing()
      .returning({ key: idempotency.key });
    if (claimed.length > 0) {
      const answer = await run(tx);
      await tx.update(idempotency).set(storable(answer)).where(mine);
      await deleteOldest(tx, userId);
      return answer;
    }
    const [first] = await tx.select().from(idempotency).where(mine);
    if (first?.route !== route || first.requestHash !== requestHash) {
      throw new Problem(422, 'idempotency_key_reused', 'This Idempotency-Key belongs to another request.');
    }
    if (first.answerHash === null) return { status: first.status, body: first.answer };
    if (options.reread) return options.reread(tx);
    throw new Problem(409, 'done_before', 'This was done before. Load the page again to see it.');
  });
}

/** Returns the request's `Idempotency-Key`, if any. Throws 400 when it is invalid. */
export function keyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) throw badRequest('idempotency_key', 'The Idempotency-Key is not valid.');
  return key;
}

function storable({ status, body }: Answer) {
  const text = JSON.stringify(body);
  return Buffer.byteLength(text) > MAX_STORED ? { status, answerHash: sha256(text) } : { status, answer: body };
}

async function deleteOldest(tx: Tx, userId: string): Promise<void> {
  const oldestKept = tx
    .select({ createdAt: idempotency.createdAt })
    .from(idempotency)
    .where(eq(idempotency.userId, userId))
    .orderBy(desc(idempotency.createdAt))
    .offset(MAX_KEYS - 1)
    .limit(1);
  await tx.delete(idempotency).where(and(eq(idempotency.userId, userId), lt(idempotency.createdAt, oldestKept)));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
