import path from 'node:path';
import type { Config } from '#server/config.ts';
import type { BlobStore } from './blob-store.ts';
import { openFileBlobs } from './file-blobs.ts';

/** Opens the configured blob store: files in DATA_DIR/blobs. */
export const openBlobs = ({ dataDir }: Pick<Config, 'dataDir'>): BlobStore => openFileBlobs(path.join(dataDir, 'blobs'));
