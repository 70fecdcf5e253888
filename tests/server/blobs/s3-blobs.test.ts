import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { verify } from '#server/operator/verify/verify.ts';
import { type BlobStore, BlobStoreAwayError, readBytes, type StoredBlob } from '#server/ports/blobs/blob-store.ts';
import { openS3Blobs } from '#server/ports/blobs/s3-blobs.ts';
import { type Fault, type LoopbackS3, startLoopbackS3 } from '#tests/support/blobs/loopback-s3.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-s3-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

async function listed(store: BlobStore): Promise<StoredBlob[]> {
  const found: StoredBlob[] = [];
  for await (const blob of store.list()) found.push(blob);
  return found;
}

let s3: LoopbackS3;
let s3rver: S3rver;
let port = 0;
beforeAll(async () => {
  s3rver = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'pictures', configs: [] }],
  });
  ({ port } = (await s3rver.run()) as { port: number });
});
afterAll(() => s3rver.close());
beforeEach(async () => {
  s3 = await startLoopbackS3();
});
afterEach(() => s3.close());

const STORES = {
  s3rver: () =>
    openS3Blobs({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'pictures',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    }),
  'the strict loopback server': () => openS3Blobs(s3.access),
};

describe.each(Object.entries(STORES))('a bucket of %s', (_, open) => {
  test('stores content under its SHA-256 from bytes or a file, lists and removes it', async () => {
    const store = open();
    const contents = [0, 1, 70_000, 600_000, 3_000_000].map((size) => randomBytes(size));
    const blobs = contents.map((bytes) => ({ hash: sha256(bytes), size: bytes.length }));
    for (const [place, bytes] of contents.entries()) {
      const file = path.join(folder, `upload-${place}`);
      fs.writeFileSync(file, bytes);
      expect(await store.put(place % 2 ? bytes : { path: file })).toEqual(blobs[place]);
      expect(fs.existsSync(file)).toBe(true);
    }
    for (const [place, blob] of blobs.entries()) {
      expect((await readBytes(store, blob))?.equals(contents[place] as Buffer)).toBe(true);
      expect(await store.has(blob)).toBe(true);
    }
    const found = await listed(store);
    expect(found.map(({ hash, size }) => `${hash} ${size}`).sort()).toEqual(blobs.map(({ hash, size }) => `${hash} ${size}`).sort());
    expect(found.every(({ storedAt }) => storedAt > 0)).toBe(true);
    for (const { hash } of blobs) await store.remove(hash);
    expect(await listed(store)).toEqual([]);
  });

  test('a missing blob, or one of another size, is not read, and removing it succeeds', async () => {
    const store = open();
    const blob = await store.put(Buffer.from('content'));
    expect(await readBytes(store, { ...blob, size: 8 })).toBeUndefined();
    expect(await store.has({ ...blob, size: 8 })).toBe(false);
    await store.remove(blob.hash);
    await store.remove(blob.hash);
    expect(await readBytes(store, blob)).toBeUndefined();
    expect(await store.has(blob)).toBe(false);
  });

  test('no hash reaches another key', async () => {
    const store = open();
    for (const hash of ['../../etc/passwd', '', 'A'.repeat(64), `${'a'.repeat(63)}/`]) {
      await expect(async () => store.read({ hash, size: 1 })).rejects.toThrow('no such hash');
      await expect(async () => store.has({ hash, size: 1 })).rejects.toThrow('no such hash');
      await expect(async () => store.remove(hash)).rejects.toThrow('no such hash');
    }
  });
});

describe('a bucket that fails', () => {
  const bytes = Buffer.from('content');
  const blob = { hash: sha256(bytes), size: bytes.length };
  const CALLS: Record<string, (store: BlobStore) => Promise<unknown>> = {
    put: (store) => store.put(bytes),
    read: (store) => readBytes(store, blob),
    has: (store) => store.has(blob),
    remove: (store) => store.remove(blob.hash),
    list: (store) => listed(store),
  };

  test.each(['SlowDown', 'InternalError', 'reset', 'late'] satisfies Fault[])('is asked again after one %s', async (fault) => {
    const store = openS3Blobs(s3.access);
    for (const name of ['put', 'has', 'list', 'remove']) {
      s3.fail(fault);
      await CALLS[name]?.(store);
    }
    expect(s3.objects.size).toBe(0);
  });

  test.each(['SlowDown', 'InternalError', 'AccessDenied', 'reset'] satisfies Fault[])('is away while it answers %s', async (fault) => {
    const store = openS3Blobs(s3.access);
    s3.always(fault);
    for (const call of Object.values(CALLS)) await expect(call(store)).rejects.toThrow(BlobStoreAwayError);
  });

  test('is away when the bucket does not exist, and says so', async () => {
    const store = openS3Blobs({ ...s3.access, bucket: 'another' });
    for (const name of ['put', 'read', 'remove', 'list']) await expect(CALLS[name]?.(store)).rejects.toThrow(/S3 bucket another: /);
    s3.always('NoSuchBucket');
    await expect(openS3Blobs(s3.access).put(bytes)).rejects.toThrow('NoSuchBucket');
  });

  test('without a name for it, as of a HEAD or a missing bucket, is told by its status', async () => {
    const store = openS3Blobs(s3.access);
    s3.always('AccessDenied');
    await expect(store.has(blob)).rejects.toThrow('S3 bucket pictures: status 403');
    s3.always('nameless');
    await expect(listed(store)).rejects.toThrow(new BlobStoreAwayError('S3 bucket pictures: status 404'));
    const { db, close } = await openTestDb();
    await expect(verify(db, store)).rejects.toThrow('S3 bucket pictures: status 404');
    await close();
  });

  test('that never answers is away when the deadline is over', async () => {
    const store = openS3Blobs(s3.access, 300);
    s3.always('hang');
    for (const call of Object.values(CALLS)) await expect(call(store)).rejects.toThrow(BlobStoreAwayError);
  });

  test.each(['cut', 'stall'] as const)('a content that ends early (%s) is an error, not a shorter picture', async (fault) => {
    await openS3Blobs(s3.access).put(bytes);
    s3.fail(fault);
    await expect(readBytes(openS3Blobs(s3.access, 300), blob)).rejects.toThrow();
  });

  test('a file that changes while it is stored is refused', async () => {
    const file = path.join(folder, 'changing');
    fs.writeFileSync(file, Buffer.alloc(20_000_000));
    const descriptor = fs.openSync(file, 'r+');
    const change = setInterval(() => fs.writeSync(descriptor, randomBytes(8), 0, 8, 0), 1);
    try {
      await expect(openS3Blobs(s3.access).put({ path: file })).rejects.toThrow('XAmzContentSHA256Mismatch');
    } finally {
      clearInterval(change);
      fs.closeSync(descriptor);
    }
    expect(s3.objects.size).toBe(0);
  });

  test('a hundred readers that take nothing do not keep others waiting', async () => {
    const store = openS3Blobs(s3.access);
    const large = await store.put(randomBytes(1_000_000));
    const stalled = await Promise.all(Array.from({ length: 100 }, () => store.read(large)));
    await store.put(bytes);
    expect((await readBytes(store, blob))?.equals(bytes)).toBe(true);
    for (const stream of stalled) stream?.destroy();
  });

  test('a clock an hour off does not stop it', async () => {
    s3.clock.ahead = 3_600_000;
    const store = openS3Blobs(s3.access);
    await store.put(bytes);
    expect((await readBytes(store, blob))?.equals(bytes)).toBe(true);
  });

  test('a wrong secret is refused by name', async () => {
    await expect(openS3Blobs({ ...s3.access, secretAccessKey: 'other' }).put(bytes)).rejects.toThrow('SignatureDoesNotMatch');
  });
});

test('an SDK that could not be loaded is loaded by the next operation', async () => {
  vi.doMock('@aws-sdk/client-s3', () => {
    throw new Error('too many open files');
  });
  const store = openS3Blobs(s3.access);
  const blob = { hash: sha256(Buffer.from('a')), size: 1 };
  await expect(store.has(blob)).rejects.toThrow(BlobStoreAwayError);
  vi.doUnmock('@aws-sdk/client-s3');
  expect(await store.has(blob)).toBe(false);
});
