import { Readable } from 'node:stream';
import { type BlobStore, readBytes } from '../ports/blobs/blob-store.ts';

/** A row's reference to a blob. Rows of older versions contain the bytes until they are moved. */
export interface NamedContent {
  hash: string | null;
  size: number;
  bytes: Buffer | null;
}

/** Returns a row's content as a stream; undefined when the store does not have it. */
export async function streamContent(store: BlobStore, { hash, size, bytes }: NamedContent): Promise<Readable | undefined> {
  if (hash !== null) return store.read({ hash, size });
  return bytes ? Readable.from([bytes]) : undefined;
}

/** Returns a row's content in memory; undefined when the store does not have it. */
export async function readContent(store: BlobStore, { hash, size, bytes }: NamedContent): Promise<Buffer | undefined> {
  if (hash !== null) return readBytes(store, { hash, size });
  return bytes ?? undefined;
}
