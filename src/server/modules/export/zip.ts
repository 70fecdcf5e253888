import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  /** Path in the archive, made by us: letters, digits, dots, dashes and slashes. */
  name: string;
  body: Readable;
  /** False for pictures, which are compressed already. */
  compress: boolean;
}

const MODE = 0o100600;

/**
 * A ZIP of entries that are read one after another as the stream is. Destroying the stream ends the entry that is read and
 * the source of entries; an error of either destroys the stream, so that no reader takes half an archive for a whole one.
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

  // A reader that leaves would let the entry wait for ever.
  out.once('close', () => current?.destroy());
  zip.on('error', fail);
  run().catch(fail);
  return out;
}
