import { type NamedContent, readContent } from '#server/blobs/read-blob.ts';
import { createUserBlobs, type UserBlobs } from '#server/blobs/user-blobs.ts';
import type { Db } from '#server/db/open.ts';
import type { BlobStore } from '#server/ports/blobs/blob-store.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';

/** Opens the blobs of a data directory, as another process would. */
export const blobsOf = ({ db, dataDir, store = openBlobs({ dataDir }) }: { db: Db; dataDir: string; store?: BlobStore }): UserBlobs =>
  createUserBlobs({ db, store, quota: 100_000_000 });

/** Reads the blob that a row refers to. */
export const contentOf = ({ dataDir }: { dataDir: string }, row: NamedContent): Promise<Buffer | undefined> =>
  readContent(openBlobs({ dataDir }), row);
