import type { Readable } from 'node:stream';

/** What a row keeps of a blob. */
export interface BlobRef {
  /** SHA-256 of the content: 64 hexadecimal digits in lower case. */
  hash: string;
  /** Bytes. */
  size: number;
}

export interface StoredBlob extends BlobRef {
  /** When the content was last put, ms since 1970, by the store's own clock. */
  storedAt: number;
}

/**
 * Pictures and other files of users, addressed by their content. The store knows no users: rows in the database name
 * the blobs (`user_blobs`), and every read goes through a row of the signed-in user.
 */
export interface BlobStore {
  /**
   * Stores bytes or a copy of a file and resolves when they are durable. Content that is stored already is written
   * again, so that neither the time it takes nor the result tells whether another user has the same.
   */
  put(source: Uint8Array | { path: string }): Promise<BlobRef>;
  /** The content as a stream, to be read to its end or destroyed; undefined when it is missing or has another size. */
  read(blob: BlobRef): Promise<Readable | undefined>;
  /** Whether the content is there in full. */
  has(blob: BlobRef): Promise<boolean>;
  /** Removes content; removing what is not there succeeds. Rows are checked by `server/blobs`, not here. */
  remove(hash: string): Promise<void>;
  /** Every blob, in no order, page by page. */
  list(): AsyncIterable<StoredBlob>;
  /** Deletes what unfinished puts from before `time` (ms since 1970) left. */
  deleteUnfinished(time: number): Promise<void>;
}

/** A blob in memory; undefined when it is missing. For small ones: pictures that were drawn anew. */
export async function readBytes(store: BlobStore, blob: BlobRef): Promise<Buffer | undefined> {
  const stream = await store.read(blob);
  return stream && Buffer.concat(await stream.toArray());
}
