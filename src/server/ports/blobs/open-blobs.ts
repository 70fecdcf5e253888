import path from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { openFileBlobs } from './file-blobs.ts';
import { openS3Blobs, type S3Access } from './s3-blobs.ts';

/** Opens the configured blob store: a bucket, or files in DATA_DIR/blobs. */
export const openBlobs = ({ dataDir, s3 }: { dataDir: string; s3?: S3Access | undefined }): BlobStore =>
  s3 ? openS3Blobs(s3) : openFileBlobs(path.join(dataDir, 'blobs'));
