import path from 'node:path';
import { readConfig } from '#server/config.ts';
import { type BlobStore, readBytes, refOf, type StoredBlob } from '#server/ports/blobs/blob-store.ts';
import { openFileBlobs } from '#server/ports/blobs/file-blobs.ts';
import { openS3Blobs } from '#server/ports/blobs/s3-blobs.ts';
import { StartupError } from '#server/startup-error.ts';
import { reasonOf } from '../backup/reason.ts';
import type { Rows } from '../commands.ts';
import type { BlobStoreName } from './blob-stores.ts';

/** Blobs copied at once: most of the time passes waiting for the bucket. Each is in memory. */
const AT_ONCE = 8;
/** Altered blobs that are named; the rest is counted. */
const NAMED = 20;

const NEXT: Readonly<Record<BlobStoreName, string>> = {
  s3: 'Give every process the S3 settings and restart it. Then run this command again for what was added meanwhile, and `verify`. Then delete DATA_DIR/blobs.',
  files: 'Remove the S3 settings of the process and restart it. Then run this command again for what was added meanwhile, and `verify`.',
};

interface Copied {
  copied: number;
  bytes: number;
  there_already: number;
  /** Content that is not that of its name; it is left out. */
  altered: string[];
  faults: number;
}

/** Copies pictures between `dataDir` and the bucket of the S3 settings, beside running servers. Deletes nothing; continues after a kill. */
export async function moveBlobs(dataDir: string, to: BlobStoreName): Promise<Rows> {
  const { s3 } = readConfig(process.env);
  if (!s3) throw new StartupError('S3_BUCKET: set the S3 settings for this command.');
  const [files, bucket] = [openFileBlobs(path.join(dataDir, 'blobs')), openS3Blobs(s3)];
  try {
    const { altered, ...done } = to === 's3' ? await copyBlobs(files, bucket) : await copyBlobs(bucket, files);
    return [{ to: to === 's3' ? s3.bucket : path.join(dataDir, 'blobs'), ...done, ...(altered.length > 0 && { altered }), next: NEXT[to] }];
  } catch (error) {
    throw new StartupError(`The move stopped (${reasonOf(error)}). Run it again: it continues.`);
  }
}

async function copyBlobs(source: BlobStore, target: BlobStore): Promise<Copied> {
  const done: Copied = { copied: 0, bytes: 0, there_already: 0, altered: [], faults: 0 };
  let batch: StoredBlob[] = [];
  const copyBatch = async () => {
    await Promise.all(batch.map((blob) => copyBlob(blob, { source, target, done })));
    batch = [];
  };
  for await (const blob of source.list()) {
    batch.push(blob);
    if (batch.length === AT_ONCE) await copyBatch();
  }
  await copyBatch();
  return done;
}

async function copyBlob(blob: StoredBlob, { source, target, done }: { source: BlobStore; target: BlobStore; done: Copied }): Promise<void> {
  if (await target.has(blob)) {
    done.there_already++;
    return;
  }
  const content = await readBytes(source, blob);
  // A user may delete it meanwhile.
  if (!content) return;
  if ((await refOf([content])).hash !== blob.hash) {
    done.faults++;
    if (done.altered.length < NAMED) done.altered.push(blob.hash);
    return;
  }
  await target.put(content);
  // A proxy may acknowledge what the bucket never gets.
  if (!(await target.has(blob))) throw new Error(`${blob.hash} was accepted, but is not there`);
  done.copied++;
  done.bytes += blob.size;
}
