import { type NamedContent, readContent } from '../../src/server/blobs/read-blob';
import { createUserBlobs, type UserBlobs } from '../../src/server/blobs/user-blobs';
import type { Db } from '../../src/server/db/open';
import type { BlobStore } from '../../src/server/ports/blobs/blob-store';
import { openBlobs } from '../../src/server/ports/blobs/open-blobs';

/** The blobs of a data directory, as another process on it would have them. */
export const blobsOf = ({ db, dataDir, store = openBlobs({ dataDir }) }: { db: Db; dataDir: string; store?: BlobStore }): UserBlobs =>
  createUserBlobs({ db, store, quota: 100_000_000 });

/** The content that a row names. */
export const contentOf = ({ dataDir }: { dataDir: string }, row: NamedContent): Promise<Buffer | undefined> =>
  readContent(openBlobs({ dataDir }), row);
