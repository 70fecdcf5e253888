import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type BlobStore, readBytes } from '../ports/blobs/blob-store.ts';

/** Does in a bucket what pictures need: stores, reads and deletes an object and lists. Rejects if that fails. */
async function useOnce(store: BlobStore): Promise<void> {
  const blob = await store.put(randomBytes(16));
  try {
    if (!(await readBytes(store, blob))) throw new Error('an object is missing right after it was stored');
    for await (const _ of store.list()) break;
  } finally {
    await store.remove(blob.hash);
  }
}

/** Tries a bucket, and logs why it fails: wrong keys would show at the first picture only. */
export const tryBucket = (store: BlobStore, log: Pick<FastifyBaseLogger, 'error'>): Promise<void> =>
  useOnce(store).catch((err: unknown) => log.error({ err }, 'the bucket cannot keep pictures: check the settings that begin with S3_'));
