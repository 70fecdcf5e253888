import path from 'node:path';
import type { Config } from '../../config';
import type { BlobStore } from './blob-store';
import { openFileBlobs } from './file-blobs';

/** The blob store of this configuration: files in DATA_DIR/blobs. */
export const openBlobs = ({ dataDir }: Pick<Config, 'dataDir'>): BlobStore => openFileBlobs(path.join(dataDir, 'blobs'));
