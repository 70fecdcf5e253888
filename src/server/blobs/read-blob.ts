import { Readable } from 'node:stream';
import { type BlobStore, readBytes } from '../ports/blobs/blob-store.ts';

/** How a row names its content; rows from before the blob store hold it themselves until it is moved. */
export interface NamedContent {
  hash: string | null;
  size: number;
  bytes: Buffer | null;
}

/** The content that a row names as a stream; undefined when the store lacks it. */
export async function streamContent(store: BlobStore, { hash, size, bytes }: NamedContent): Promise<Readable | undefined> {
  if (hash !== null) return store.read({ hash, size });
  return bytes ? Readable.from([bytes]) : undefined;
}

/** The content that a row names, in memory; undefined when the store lacks it. */
export async function readContent(store: BlobStore, { hash, size, bytes }: NamedContent): Promise<Buffer | undefined> {
  if (hash !== null) return readBytes(store, { hash, size });
  return bytes ?? undefined;
}
