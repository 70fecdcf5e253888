import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { type ZipEntry, zipStream } from '#server/modules/export/zip.ts';
import { unzip } from '#tests/support/accounts/unzip.ts';

const MB = 2 ** 20;
const CHUNK = 64 * 1024;

/** Entries of one megabyte. Counts how many are read. */
function bigEntries(count: number) {
  const state = { read: 0, isClosed: false, open: 0 };
  async function* content() {
    state.open += 1;
    try {
      for (let bytes = 0; bytes < MB; bytes += CHUNK) {
        state.read += CHUNK;
        yield Buffer.alloc(CHUNK, bytes % 251);
      }
    } finally {
      state.open -= 1;
    }
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    try {
      for (let at = 0; at < count; at++) yield { name: `${at}.bin`, body: Readable.from(content()), compress: at % 2 === 1 };
    } finally {
      state.isClosed = true;
    }
  }
  return { state, entries: entries() };
}

/** Waits until no more work can happen without a reader. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await setImmediate();
}

describe('a streamed archive', () => {
  test('is complete', async () => {
    const { entries, state } = bigEntries(6);
    const files = unzip(Buffer.concat(await zipStream(entries, new Date()).toArray()));
    expect([...files.keys()]).toEqual(['0.bin', '1.bin', '2.bin', '3.bin', '4.bin', '5.bin']);
    for (const content of files.values()) expect(content.length).toBe(MB);
    expect(state).toEqual({ read: 6 * MB, isClosed: true, open: 0 });
  });

  test('produces no more than its reader takes', async () => {
    const { entries, state } = bigEntries(100);
    const zip = zipStream(entries, new Date());
    await idle();
    expect(state.read).toBeLessThan(4 * MB);
    zip.destroy();
  });

  test('releases everything when its reader disconnects', async () => {
    const { entries, state } = bigEntries(100);
    const zip = zipStream(entries, new Date());
    zip.on('error', () => undefined);
    await vi.waitFor(() => expect(state.open).toBe(1));
    zip.destroy();
    await vi.waitFor(() => expect(state).toMatchObject({ isClosed: true, open: 0 }));
  });

  test.each(['an entry', 'the list of entries'])('is aborted, not completed, when %s fails', async (what) => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(CHUNK);
      throw new Error('the disk is gone');
    }
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { name: 'one.bin', body: Readable.from(what === 'an entry' ? broken() : [Buffer.alloc(10)]), compress: false };
      throw new Error('the disk is gone');
    }
    await expect(zipStream(entries(), new Date()).toArray()).rejects.toThrow('the disk is gone');
  });
});
