import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  /** Path in the archive, made by the server: letters, digits, dots, dashes and slashes. */
  name: string;
  body: Readable;
  /** False for pictures, which are already compressed. */
  compress: boolean;
}

const MODE = 0o100600;

/**
 * Streams a ZIP of entries and reads them one after another. Destroying the stream also destroys the current entry. An error
 * destroys the stream, so that a client cannot mistake a partial archive for a complete one.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>, mtime: Date): Readable {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  let current: Readable | undefined;
  const fail = (error: unknown) => out.destroy(error as Error);

  async function run(): Promise<void> {
    for await (const { name, body, compress } of entries) {
      current = body;
      if (out.destroyed) body.destroy();
      zip.addReadStream(body, name, { mtime, mode: MODE, compress });
      await finished(body);
    }
    zip.end();
  }

  // Without this, a disconnected client would leave the entry open forever.
  out.once('close', () => current?.destroy());
  zip.on('error', fail);
  run().catch(fail);
  return out;
}
