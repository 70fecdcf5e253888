import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '#server/files/sync-folder.ts';
import { demandComplete } from '#server/incomplete.ts';
import { StartupError } from '#server/startup-error.ts';
import type { Rows } from '../commands.ts';
import { demandDatabase } from '../demand-database.ts';
import { COPY_DATA } from '../protocol.ts';
import { sendCommand } from '../send-command.ts';
import { type Entry, FIRST, FORMAT, type Heading, writeArchive } from './archive.ts';
import { openEmbedded } from './embedded.ts';
import { copyAtRest, snapshotFolder, USE_POSTGRES_TOOLS, withSnapshot } from './snapshot.ts';
import { appliedMigrations, describeTables, type Query, readRows, type Table } from './tables.ts';

/** What a backup holds. */
interface Contents {
  tables: number;
  rows: number;
  blobs: number;
  secrets: string[];
}

/**
 * Writes database, pictures and secrets of `dataDir` to a new file, with or without a running server. The file appears under
 * its name only when it is complete and on disk.
 */
export async function backup(dataDir: string, file: string): Promise<Rows> {
  if (process.env.DATABASE_URL?.trim()) throw new StartupError(USE_POSTGRES_TOOLS);
  demandComplete(dataDir);
  demandDatabase(dataDir);
  await demandFree(file);
  const draft = `${file}.${randomUUID()}.part`;
  try {
    const contents = await withSnapshot(
      dataDir,
      async () => {
        await demandOutside(dataDir, file);
        await takeSnapshot(dataDir);
      },
      (folder) => writeSnapshot(folder, draft),
    );
    await publish(draft, file);
    await syncFolder(path.dirname(file));
    return [{ backup: file, bytes: (await fs.stat(file)).size, ...contents }];
  } catch (error) {
    await fs.rm(draft, { force: true }).catch(() => undefined);
    throw explained(error, file);
  }
}

async function demandFree(file: string): Promise<void> {
  const found = await fs.lstat(file).catch(() => undefined);
  if (found) throw new StartupError(`${file} exists already.`);
}

/** Throws for a file in the folder of the snapshot, which is deleted with it. */
async function demandOutside(dataDir: string, file: string): Promise<void> {
  const [folder, of] = [await fs.realpath(snapshotFolder(dataDir)), await fs.realpath(path.dirname(file))];
  if (!(of + path.sep).startsWith(folder + path.sep)) return;
  throw new StartupError(`${file} is in ${snapshotFolder(dataDir)}, which a backup deletes at its end. Choose another folder.`);
}

/** Gives a complete file its name. A link fails where a rename would replace a file that has appeared meanwhile. */
async function publish(draft: string, file: string): Promise<void> {
  await fs.link(draft, file).catch(async () => {
    // exFAT and some network shares have no links.
    await demandFree(file);
    await fs.rename(draft, file);
  });
  await fs.rm(draft, { force: true });
}

/** Lets the server copy its data, or copies them here when no server runs. */
async function takeSnapshot(dataDir: string): Promise<void> {
  const outcome = await sendCommand(dataDir, { command: COPY_DATA });
  if (outcome && 'error' in outcome) throw new StartupError(outcome.error);
  if (!outcome) await copyAtRest(dataDir);
}

async function writeSnapshot(folder: string, file: string): Promise<Contents> {
  const database = await openEmbedded(folder);
  try {
    const tables = await describeTables(database.query);
    const contents: Contents = { tables: tables.length, rows: 0, blobs: 0, secrets: [] };
    await writeArchive(file, entriesOf(folder, { query: database.query, tables, contents }));
    return contents;
  } finally {
    await database.close();
  }
}

async function* entriesOf(folder: string, parts: { query: Query; tables: Table[]; contents: Contents }): AsyncGenerator<Entry> {
  const { query, tables, contents } = parts;
  const heading: Heading = {
    format: FORMAT,
    createdAt: new Date().toISOString(),
    migrations: await appliedMigrations(query),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  };
  yield { name: FIRST, content: Buffer.from(JSON.stringify(heading)) };
  for (const table of tables) {
    let place = 0;
    for await (const { lines } of readRows(query, table)) {
      contents.rows += lines.length;
      yield { name: `rows/${table.name}/${++place}`, content: Buffer.from(lines.join('\n')) };
    }
  }
  for (const name of await fs.readdir(path.join(folder, 'secrets'))) {
    contents.secrets.push(name);
    yield { name: `secrets/${name}`, content: await fs.readFile(path.join(folder, 'secrets', name)) };
  }
  for await (const { name } of await fs.opendir(path.join(folder, 'blobs'))) {
    contents.blobs++;
    yield { name: `blobs/${name}`, content: await fs.readFile(path.join(folder, 'blobs', name)) };
  }
}

/** Says in one line why the file could not be written. */
function explained(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code && !(error instanceof StartupError) ? new StartupError(`Cannot write ${file} (${code}). Nothing was kept.`) : error;
}
