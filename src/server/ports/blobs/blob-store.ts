import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** The store cannot be used at the moment; the same call may succeed later. */
export class BlobStoreAwayError extends Error {}

/** The names of blobs. */
export const HASH = /^[0-9a-f]{64}$/;

/** Returns the hash; throws for a text that is none, because stores make paths and keys from it. */
export function demandHash(hash: string): string {
  if (!HASH.test(hash)) throw new Error('A blob has no such hash.');
  return hash;
}

/** A row's reference to a blob. */
export interface BlobRef {
  /** SHA-256 of the content: 64 lowercase hexadecimal digits. */
  hash: string;
  /** Bytes. */
  size: number;
}

export interface StoredBlob extends BlobRef {
  /** When the content was last put, ms since 1970, by the store's clock. */
  storedAt: number;
}

/**
 * Content-addressed storage of users' files. The store does not know users: database rows name the blobs (`user_blobs`),
 * and every read goes through a row of the signed-in user.
 */
export interface BlobStore {
  /**
   * Stores bytes or a copy of a file and resolves when they are durable. It rewrites existing content, so that neither
   * timing nor result reveals whether another user has the same file.
   */
  put(source: Uint8Array | { path: string }): Promise<BlobRef>;
  /** Returns the content as a stream, which the caller must read to the end or destroy; undefined when missing or of another size. */
  read(blob: BlobRef): Promise<Readable | undefined>;
  /** Returns whether the content is stored completely. */
  has(blob: BlobRef): Promise<boolean>;
  /** Removes content; succeeds when it does not exist. Callers check the rows (`server/blobs`). */
  remove(hash: string): Promise<void>;
  /** Lists every blob page by page, in no order. */
  list(): AsyncIterable<StoredBlob>;
  /** Deletes leftovers of unfinished puts from before `time` (ms since 1970). */
  deleteUnfinished(time: number): Promise<void>;
}

/** Returns what names a content: its hash and size. */
export async function refOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<BlobRef> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.byteLength;
  }
  return { hash: hash.digest('hex'), size };
}

/** Reads a blob into memory; undefined when missing. For small blobs, such as re-encoded pictures. */
export async function readBytes(store: BlobStore, blob: BlobRef): Promise<Buffer | undefined> {
  const stream = await store.read(blob);
  return stream && Buffer.concat(await stream.toArray());
}
