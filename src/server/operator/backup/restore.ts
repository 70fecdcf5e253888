import fs from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { lockDirectory } from '#server/db/embedded/directory-lock.ts';
import { demandKnown, migrateLike } from '#server/db/migrate-to.ts';
import { syncFolder } from '#server/files/sync-folder.ts';
import { isIncomplete, MARKER, markComplete, markIncomplete } from '#server/incomplete.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { prepareDataDir } from '#server/secrets.ts';
import { StartupError } from '#server/startup-error.ts';
import type { Rows } from '../commands.ts';
import { ArchiveError, checkArchive, type Entry, type Heading, readArchive, readHeading } from './archive.ts';
import { type Embedded, openEmbedded } from './embedded.ts';
import { reasonOf } from './reason.ts';
import { describeTables, emptyTables, insertRows } from './tables.ts';

/** What an empty data directory may have: the lock of systems that need a file for it, and the folder of each new ext4 volume. */
const STAYS = new Set(['lock', 'lost+found']);

interface Restored {
  /** When the backup was made. */
  made: string;
  rows: number;
  blobs: number;
  secrets: string[];
}

/**
 * Fills an empty data directory from a file of `backup`. All or nothing: a failure leaves it empty, and a kill leaves one
 * that the server refuses and the next restore replaces.
 */
export async function restore(dataDir: string, file: string): Promise<Rows> {
  if (process.env.DATABASE_URL?.trim())
    throw new StartupError('A restore fills the embedded database: unset DATABASE_URL. Then use `move` to get to PostgreSQL.');
  await demandOutside(dataDir, file);
  await demandFile(file);
  await check(file);
  const isNew = !(await fs.stat(dataDir).catch(() => undefined));
  prepareDataDir(dataDir);
  const unlock = await lockDirectory(dataDir);
  try {
    const isOld = isIncomplete(dataDir);
    const found = (await fs.readdir(dataDir)).filter((name) => !STAYS.has(name));
    if (found.length > 0 && !isOld) throw new StartupError(`DATA_DIR: ${dataDir} is not empty. Restore into an empty folder.`);
    markIncomplete(dataDir);
    await clear(dataDir);
    try {
      const restored = await fill(dataDir, file);
      markComplete(dataDir);
      await syncFolder(dataDir);
      return [{ restored: dataDir, ...restored }];
    } catch (error) {
      await clear(dataDir);
      markComplete(dataDir);
      if (isNew) await fs.rmdir(dataDir).catch(() => undefined);
      throw explained(error, file);
    }
  } finally {
    await unlock();
  }
}

/** Throws for a pipe, which would wait for ever for its second writer, and for a folder or a device. */
async function demandFile(file: string): Promise<void> {
  const found = await fs.stat(file).catch(() => undefined);
  if (!found || found.isFile()) return; // reading says why a file is missing
  throw new StartupError(`${file} is no file. A restore reads it twice: save the backup to a file first. Nothing was restored.`);
}

/** Throws for a backup in the folder that the restore empties. */
async function demandOutside(dataDir: string, file: string): Promise<void> {
  const [folder = '', from = ''] = await Promise.all([dataDir, file].map((name) => fs.realpath(name).catch(() => path.resolve(name))));
  if (!from.startsWith(folder + path.sep)) return;
  throw new StartupError(`${file} is in DATA_DIR, which a restore empties first. Move the file out of it. Nothing was restored.`);
}

/** Deletes everything but the marker and what stays. */
async function clear(dataDir: string): Promise<void> {
  for (const name of await fs.readdir(dataDir))
    if (name !== MARKER && !STAYS.has(name)) await fs.rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
}

/** Reads the whole file first, so that a damaged one costs nothing. */
async function check(file: string): Promise<void> {
  try {
    await checkArchive(file, ({ migrations }) => demandKnown(migrations));
  } catch (error) {
    throw explained(error, file);
  }
}

async function fill(dataDir: string, file: string): Promise<Restored> {
  const entries = readArchive(file);
  const first = await entries.next();
  const loader = await openLoader(dataDir, readHeading(first.value));
  try {
    for await (const entry of entries) await loader.take(entry);
    return await loader.finish();
  } finally {
    await loader.close();
  }
}

interface Loader {
  take(entry: Entry): Promise<void>;
  finish(): Promise<Restored>;
  close(): Promise<void>;
}

/** Creates a database like the one of the backup, and returns what stores the backup's entries. */
async function openLoader(dataDir: string, heading: Heading): Promise<Loader> {
  const database = await openEmbedded(dataDir);
  try {
    await prepare(database, heading);
  } catch (error) {
    await database.close();
    throw error;
  }
  const blobs = openBlobs({ dataDir });
  const tables = new Map(heading.tables.map((table) => [table.name, table]));
  const restored: Restored = { made: heading.createdAt, rows: 0, blobs: 0, secrets: [] };

  return {
    async take({ name, content }) {
      const [kind, item = ''] = name.split('/');
      const table = tables.get(item);
      if (kind === 'rows' && table) {
        const lines = content.toString().split('\n');
        await insertRows(database.query, table, lines);
        restored.rows += lines.length;
      } else if (kind === 'blobs') {
        const { hash } = await blobs.put(content);
        if (hash !== item) throw new ArchiveError('A picture in the file is altered.');
        restored.blobs++;
      } else if (kind === 'secrets') {
        await fs.writeFile(path.join(dataDir, item), content, { mode: 0o600, flag: 'wx', flush: true });
        restored.secrets.push(item);
      } else throw new ArchiveError(`The file has rows of an unknown table.`);
    },
    async finish() {
      await database.query('checkpoint');
      return restored;
    },
    close: () => database.close(),
  };
}

async function prepare({ pglite, query }: Embedded, heading: Heading): Promise<void> {
  // A new database has all migrations of this version, and the file may have fewer.
  await pglite.exec('drop schema if exists drizzle cascade; drop schema public cascade; create schema public');
  await migrateLike(heading.migrations, (folder) => migrate(drizzle(pglite), { migrationsFolder: folder }));
  const tables = await describeTables(query);
  const columns = (of: Heading['tables']) => new Map(of.map((table) => [table.name, table.columns]));
  if (!isDeepStrictEqual(columns(tables), columns(heading.tables)))
    throw new ArchiveError('The tables in the file are not those of its version.');
  await emptyTables(query, tables);
  // One checkpoint at the end replaces a wait for the disk at each batch.
  await query('set synchronous_commit = off');
}

/** Says in one line why nothing was restored. */
function explained(error: unknown, file: string): StartupError {
  const isOurs = error instanceof ArchiveError || error instanceof StartupError;
  return new StartupError(`${file}: ${isOurs ? error.message : `cannot be restored (${reasonOf(error)}).`} Nothing was restored.`);
}
