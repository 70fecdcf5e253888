import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { syncFolder } from '#server/files/sync-folder.ts';
import { undefinedIfMissing } from '#server/files/undefined-if-missing.ts';
import { type BlobStore, demandHash, HASH, type StoredBlob } from './blob-store.ts';

const FOLDER = /^[0-9a-f]{2}$/;
/** Bytes per read, which bounds the memory of a stalled reader. */
const CHUNK = 64 * 1024;

/** Stores blobs as files `ab/cd/abcd…`: written to `tmp`, synced to disk, then renamed. */
export function openFileBlobs(directory: string): BlobStore {
  const temporary = path.join(directory, 'tmp');

  function pathOf(hash: string): string {
    demandHash(hash);
    return path.join(directory, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  async function makeFolder(hash: string): Promise<string> {
    const folder = path.dirname(pathOf(hash));
    const made = await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    // A new folder is durable only when its parent is synced.
    if (made) for (const above of [path.dirname(folder), directory]) await syncFolder(above);
    return folder;
  }

  return {
    async put(source) {
      await fs.mkdir(temporary, { recursive: true, mode: 0o700 });
      const draft = path.join(temporary, randomUUID());
      try {
        const blob = await writeDraft(draft, source);
        const folder = await makeFolder(blob.hash);
        await fs.rename(draft, pathOf(blob.hash));
        await syncFolder(folder);
        return blob;
      } catch (error) {
        await fs.rm(draft, { force: true });
        throw error;
      }
    },

    async read({ hash, size }) {
      const handle = await fs.open(pathOf(hash)).catch(undefinedIfMissing);
      if (!handle) return undefined;
      if ((await handle.stat()).size === size) return handle.createReadStream({ highWaterMark: CHUNK });
      await handle.close();
      return undefined;
    },

    async has({ hash, size }) {
      const found = await fs.stat(pathOf(hash)).catch(undefinedIfMissing);
      return found?.size === size;
    },

    remove: (hash) => fs.rm(pathOf(hash), { force: true }),

    async *list() {
      for (const first of await namesIn(directory, FOLDER)) {
        for (const second of await namesIn(path.join(directory, first), FOLDER)) {
          const folder = path.join(directory, first, second);
          for (const hash of await namesIn(folder, HASH)) {
            const found = await fs.stat(path.join(folder, hash)).catch(undefinedIfMissing);
            if (found) yield { hash, size: found.size, storedAt: found.mtimeMs } satisfies StoredBlob;
          }
        }
      }
    },

    async deleteUnfinished(time) {
      for (const name of await namesIn(temporary, /./)) {
        const draft = path.join(temporary, name);
        const found = await fs.stat(draft).catch(undefinedIfMissing);
        if (found && found.mtimeMs < time) await fs.rm(draft, { force: true });
      }
    },
  };
}

async function writeDraft(draft: string, source: Uint8Array | { path: string }): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await fs.open(draft, 'wx', 0o600);
  try {
    const chunks = source instanceof Uint8Array ? Readable.from([source]) : createReadStream(source.path, { highWaterMark: CHUNK });
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      size += chunk.byteLength;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { hash: hash.digest('hex'), size };
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await fs.readdir(folder).catch(undefinedIfMissing);
  return (names ?? []).filter((name) => pattern.test(name));
}
