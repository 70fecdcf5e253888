import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BlobStore, readBytes, type StoredBlob } from '#server/ports/blobs/blob-store.ts';
import { openFileBlobs } from '#server/ports/blobs/file-blobs.ts';

let directory: string;
let store: BlobStore;

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-blobs-'));
  store = openFileBlobs(directory);
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (hash: string) => path.join(directory, hash.slice(0, 2), hash.slice(2, 4), hash);
const unfinished = () => fs.readdirSync(path.join(directory, 'tmp'));
async function listed(): Promise<StoredBlob[]> {
  const found: StoredBlob[] = [];
  for await (const blob of store.list()) found.push(blob);
  return found;
}

test('content is stored under its SHA-256 in two levels of folders, from bytes or from a file', async () => {
  const bytes = randomBytes(600_000);
  const source = path.join(directory, 'upload');
  fs.writeFileSync(source, bytes);
  const blob = { hash: sha256(bytes), size: bytes.length };
  expect(await store.put(bytes)).toEqual(blob);
  expect(await store.put({ path: source })).toEqual(blob);
  expect(fs.readFileSync(pathOf(blob.hash)).equals(bytes)).toBe(true);
  expect(fs.statSync(pathOf(blob.hash)).mode & 0o777).toBe(0o600);
  expect((await readBytes(store, blob))?.equals(bytes)).toBe(true);
  expect(await listed()).toEqual([{ ...blob, storedAt: expect.any(Number) }]);
  expect(unfinished()).toEqual([]);
  expect(fs.existsSync(source)).toBe(true);
});

test('content and its name are synced to disk before put resolves', async () => {
  const handle = await fs.promises.open(directory);
  const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
  await handle.close();
  const { sync } = prototype;
  const states: string[] = [];
  prototype.sync = async function (this: fs.promises.FileHandle) {
    const hash = sha256(Buffer.from('content'));
    states.push(`${(await this.stat()).isFile() ? 'file' : 'folder'} ${fs.existsSync(pathOf(hash)) ? 'named' : 'unnamed'}`);
    return sync.call(this);
  };
  try {
    await store.put(Buffer.from('content'));
  } finally {
    prototype.sync = sync;
  }
  expect(states[0]).toBe('file unnamed');
  expect(states.at(-1)).toBe('folder named');
});

test('a missing, truncated or deleted blob is not read, and no hash leads out of the folder', async () => {
  const blob = await store.put(Buffer.from('content'));
  expect(await readBytes(store, { ...blob, size: 8 })).toBeUndefined();
  fs.truncateSync(pathOf(blob.hash), 3);
  expect(await readBytes(store, blob)).toBeUndefined();
  expect(await store.has(blob)).toBe(false);
  // Storing the content again repairs the blob.
  await store.put(Buffer.from('content'));
  expect(await store.has(blob)).toBe(true);
  await store.remove(blob.hash);
  await store.remove(blob.hash);
  expect(await readBytes(store, blob)).toBeUndefined();
  for (const hash of ['../../etc/passwd', '', 'A'.repeat(64), `${'a'.repeat(63)}/`]) {
    await expect(async () => store.read({ hash, size: 1 })).rejects.toThrow('no such hash');
    await expect(async () => store.remove(hash)).rejects.toThrow('no such hash');
  }
});

test('a failed put leaves no file, and old leftovers of a crash are deleted', async () => {
  await expect(store.put({ path: path.join(directory, 'nowhere') })).rejects.toThrow('ENOENT');
  expect(unfinished()).toEqual([]);
  const draft = path.join(directory, 'tmp', 'left-by-a-crash');
  fs.writeFileSync(draft, 'half');
  await store.deleteUnfinished(Date.now() - 60_000);
  expect(unfinished()).toEqual(['left-by-a-crash']);
  await store.deleteUnfinished(Date.now() + 60_000);
  expect(unfinished()).toEqual([]);
});
