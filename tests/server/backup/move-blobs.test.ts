import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BlobRef } from '#server/ports/blobs/blob-store.ts';
import { openFileBlobs } from '#server/ports/blobs/file-blobs.ts';
import { type LoopbackS3, startLoopbackS3 } from '#tests/support/blobs/loopback-s3.ts';
import { buildServer, operatorRows, runOperator } from '#tests/support/processes/operator.ts';

let s3: LoopbackS3;
let dataDir: string;
let env: Record<string, string>;
let blobs: BlobRef[];
const files = () => openFileBlobs(path.join(dataDir, 'blobs'));
const pathOf = ({ hash }: BlobRef) => path.join(dataDir, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);

beforeAll(async () => {
  await buildServer();
}, 300_000);
beforeEach(async () => {
  s3 = await startLoopbackS3();
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-move-'));
  env = {
    DATA_DIR: dataDir,
    // The command moves files alone, and never connects.
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    S3_ENDPOINT: s3.access.endpoint ?? '',
    S3_BUCKET: s3.access.bucket,
    S3_REGION: s3.access.region,
    S3_ACCESS_KEY_ID: s3.access.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.access.secretAccessKey,
  };
  blobs = [];
  for (let size = 1; size <= 11; size++) blobs.push(await files().put(randomBytes(size * 1000)));
});
afterEach(async () => {
  await s3.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const move = (to: string) => operatorRows(['move-pictures', '--to', to], env);

test('pictures move to the bucket and back, and a repeated move copies only what is new', async () => {
  expect(await move('s3')).toMatchObject([{ to: 'pictures', copied: 11, bytes: 66_000, there_already: 0, faults: 0 }]);
  const added = await files().put(randomBytes(500));
  expect(await move('s3')).toMatchObject([{ copied: 1, bytes: 500, there_already: 11 }]);
  fs.rmSync(path.join(dataDir, 'blobs'), { recursive: true });
  expect(await move('files')).toMatchObject([{ to: path.join(dataDir, 'blobs'), copied: 12, there_already: 0, faults: 0 }]);
  for (const blob of [...blobs, added]) expect(await files().has(blob)).toBe(true);
});

test('a move that the bucket stops says so and continues', async () => {
  // Each blob takes a look and a copy: some are copied before the bucket refuses.
  s3.failAfter(10, 'AccessDenied');
  const { code, stderr } = await runOperator(['move-pictures', '--to', 's3'], env);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The move stopped \(S3 bucket pictures: (AccessDenied: .*|status 403)\)\. Run it again: it continues\.\n$/),
  ]);
  s3.always(undefined);
  const [row] = await move('s3');
  expect(Number(row?.copied) + Number(row?.there_already)).toBe(11);
  expect(s3.objects.size).toBe(11);
});

test('a bucket that acknowledges pictures and does not have them stops the move', async () => {
  s3.always('drop');
  const { code, stderr } = await runOperator(['move-pictures', '--to', 's3'], env);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The move stopped \([0-9a-f]{64} was accepted, but is not there\)/)]);
});

test('an altered picture is left out and named', async () => {
  const [altered] = blobs as [BlobRef];
  fs.writeFileSync(pathOf(altered), Buffer.alloc(altered.size));
  const { code, stdout } = await runOperator(['move-pictures', '--to', 's3', '--json'], env);
  expect([code, JSON.parse(stdout)]).toMatchObject([1, [{ copied: 10, altered: [altered.hash], faults: 1 }]]);
  expect(s3.objects.has(`blobs/${altered.hash}`)).toBe(false);
});

test('without a bucket, or to an unknown store, the command says what is missing', async () => {
  expect(await runOperator(['move-pictures', '--to', 's3'], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    stderr: 'S3_BUCKET: set the S3 settings for this command.\n',
  });
  expect(await runOperator(['move-pictures', '--to', 'tape'], env)).toMatchObject({ code: 2, stderr: '--to must be s3 or files.\n' });
});
