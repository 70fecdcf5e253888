import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as tar from 'tar-stream';
import * as z from 'zod/mini';
import { StartupError } from '#server/startup-error.ts';

/** Raised by every change after which older versions would read a file wrongly. */
export const FORMAT = 1;

export const FIRST = 'backup.json';
const LAST = 'end.json';
/** Bytes of one entry: a batch of rows, or a picture. */
const MAX_ENTRY = 256 * 2 ** 20;
/** Bytes of the heading, and of the end. Parsed, JSON takes many times as much memory. */
const MAX_SUMMARY = 2 ** 20;
/** Fast, because most bytes are pictures, which are compressed already. */
const LEVEL = 1;

const maxSizeOf = (name: string): number => (name === FIRST || name === LAST ? MAX_SUMMARY : MAX_ENTRY);

/** Every name that an entry may have: none leads out of a folder. */
const NAME =
  /^(backup\.json|end\.json|rows\/[a-z0-9_]{1,63}\/[0-9]{1,15}|blobs\/[0-9a-f]{64}|secrets\/(jwt-secret|secrets-key|secrets-key\.previous))$/;

const heading = z.object({
  format: z.literal(FORMAT),
  createdAt: z.string(),
  /** Hashes of the database's migrations, oldest first. */
  migrations: z.array(z.string()),
  /** Tables with their columns, referenced tables first. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});
export type Heading = z.infer<typeof heading>;

const ending = z.object({ entries: z.int(), digest: z.string() });

export interface Entry {
  name: string;
  content: Buffer;
}

/** The file is not a complete backup, or not one of this version. The message is for the operator. */
export class ArchiveError extends Error {}

/** Digest of all entries: a file that was cut, altered or joined has another one. */
function createDigest() {
  const hash = createHash('sha256');
  let entries = 0;
  return {
    add({ name, content }: Entry): void {
      hash.update(`${name}\0${content.length}\0`).update(content);
      entries++;
    },
    end: () => ({ entries, digest: hash.digest('hex') }),
  };
}

/** Writes a gzipped tar file with mode 0600. Holds one entry in memory at a time. */
export async function writeArchive(file: string, entries: AsyncIterable<Entry>): Promise<void> {
  const pack = tar.pack();
  const put = ({ name, content }: Entry) =>
    new Promise<void>((resolve, reject) => {
      pack.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve())).on('error', reject);
    });
  async function fill(): Promise<void> {
    const digest = createDigest();
    for await (const entry of entries) {
      if (entry.content.length > maxSizeOf(entry.name)) throw new StartupError(`${entry.name} is too large for a backup.`);
      digest.add(entry);
      await put(entry);
    }
    await put({ name: LAST, content: Buffer.from(JSON.stringify(digest.end())) });
    pack.finalize();
  }
  const written = pipeline(pack, createGzip({ level: LEVEL }), createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }));
  const filled = fill().catch((error) => {
    pack.destroy(error);
    throw error;
  });
  // Waits for both: a full disk ends the writing first, and `entries` may still read then.
  for (const outcome of await Promise.allSettled([written, filled])) if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * Reads a file of `writeArchive`: the heading, then the other entries. Ends without an error only if the file is complete and
 * unaltered, so read a file once to check it before the data is used.
 */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const extract = tar.extract();
  const flow = pipeline(createReadStream(file), createGunzip(), extract);
  flow.catch(() => undefined); // the loop below throws it
  const digest = createDigest();
  let end: z.infer<typeof ending> | undefined;
  try {
    for await (const source of extract) {
      const { name, type, size } = source.header;
      if (type !== 'file' || size > maxSizeOf(name) || !NAME.test(name) || end) throw unknownEntry(name);
      const chunks: Buffer[] = [];
      for await (const chunk of source as AsyncIterable<Buffer>) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      if (name === LAST) end = z.parse(ending, JSON.parse(content.toString()));
      else {
        digest.add({ name, content });
        yield { name, content };
      }
    }
    await flow;
  } catch (error) {
    throw error instanceof ArchiveError ? error : damaged(error);
  } finally {
    extract.destroy();
  }
  const found = digest.end();
  if (end?.digest !== found.digest || end.entries !== found.entries) throw damaged();
}

/** Reads a whole file. Throws `ArchiveError` unless it is a complete backup, or what `judge` throws for its heading. */
export async function checkArchive(file: string, judge: (heading: Heading) => void): Promise<void> {
  let isJudged = false;
  for await (const entry of readArchive(file)) {
    if (!isJudged) judge(readHeading(entry));
    isJudged = true;
  }
}

/** Reads what a backup says of itself. Throws if a newer version wrote it. */
export function readHeading({ name, content }: Entry): Heading {
  if (name !== FIRST) throw damaged();
  const said: unknown = JSON.parse(content.toString());
  const version = z.safeParse(z.object({ format: z.int() }), said);
  if (version.success && version.data.format > FORMAT)
    throw new ArchiveError('A newer version of Tidemark made this backup. Restore it with that one.');
  const parsed = z.safeParse(heading, said);
  if (!parsed.success) throw damaged();
  return parsed.data;
}

const unknownEntry = (name: string) => new ArchiveError(`The file has an entry that no backup has: ${JSON.stringify(name.slice(0, 100))}.`);

function damaged(cause?: unknown): ArchiveError {
  const { code, syscall } = (cause ?? {}) as { code?: unknown; syscall?: unknown };
  if (syscall !== undefined) return new ArchiveError(`The file cannot be read (${code}).`);
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new ArchiveError(`The file is not a backup of Tidemark, or it is cut off or altered${reason}.`);
}
