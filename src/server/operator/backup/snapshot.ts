import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { lockDirectory } from '#server/db/embedded/directory-lock.ts';
import { undefinedIfMissing } from '#server/files/undefined-if-missing.ts';
import { StartupError } from '#server/startup-error.ts';

/** Folder of DATA_DIR for the copy that a backup or a move reads. */
const FOLDER = 'backup';
const BLOB = /^[0-9a-f]{64}$/;
/** Where the system needs a file for `lockDirectory`. */
const LOCK_FILE = 'lock';
/** Links made at the same time. */
const AT_ONCE = 64;

/** Files of DATA_DIR that a backup holds, where they exist. */
const SECRET_FILES = ['jwt-secret', 'secrets-key', 'secrets-key.previous'];

export const USE_POSTGRES_TOOLS =
  'The data is in PostgreSQL: back it up with pg_dump, then copy DATA_DIR/blobs and the secrets (docs/operations.md, Back up and restore).';

export const snapshotFolder = (dataDir: string): string => path.join(dataDir, FOLDER);

/**
 * Copies database, pictures and secrets to the snapshot folder. Nothing may change them meanwhile. Pictures never change,
 * so they are linked where the file system allows it; the database is cloned there, or else copied.
 */
export async function copyData(dataDir: string): Promise<void> {
  const folder = snapshotFolder(dataDir);
  await copyTo(folder, dataDir).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`The data could not be copied to ${folder} (${error.code ?? error.message}).`);
  });
}

async function copyTo(folder: string, dataDir: string): Promise<void> {
  await fs.cp(path.join(dataDir, 'db'), path.join(folder, 'db'), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    errorOnExist: true,
    force: false,
  });
  await fs.mkdir(path.join(folder, 'secrets'));
  for (const name of SECRET_FILES) {
    await fs.copyFile(path.join(dataDir, name), path.join(folder, 'secrets', name)).catch(undefinedIfMissing);
  }
  await fs.mkdir(path.join(folder, 'blobs'));
  let links: Promise<void>[] = [];
  for await (const file of blobFiles(path.join(dataDir, 'blobs'))) {
    links.push(linkOrCopy(file, path.join(folder, 'blobs', path.basename(file))));
    if (links.length < AT_ONCE) continue;
    await Promise.all(links);
    links = [];
  }
  await Promise.all(links);
}

/** Copies the data while no process has it open. */
export async function copyAtRest(dataDir: string): Promise<void> {
  const unlock = await lockDirectory(dataDir);
  try {
    await copyData(dataDir);
  } finally {
    await unlock();
  }
}

async function* blobFiles(folder: string): AsyncGenerator<string> {
  const entries = await fs.opendir(folder, { recursive: true }).catch(undefinedIfMissing);
  for await (const entry of entries ?? []) if (entry.isFile() && BLOB.test(entry.name)) yield path.join(entry.parentPath, entry.name);
}

async function linkOrCopy(file: string, to: string): Promise<void> {
  await fs.link(file, to).catch(() => fs.copyFile(file, to, constants.COPYFILE_FICLONE));
}

/** Makes a snapshot by `take`, hands it to `use`, and deletes it. Throws while another process has one. */
export async function withSnapshot<T>(dataDir: string, take: () => Promise<void>, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = snapshotFolder(dataDir);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const unlock = await lockDirectory(folder).catch(() => {
    throw new StartupError('Another backup or move is running.');
  });
  try {
    await clear(folder);
    await take();
    return await use(folder);
  } finally {
    await clear(folder);
    await fs.rmdir(folder).catch(() => undefined);
    await unlock();
  }
}

/** Deletes the snapshot of a killed backup: its links keep pictures that users have deleted since. */
export async function removeOldSnapshot(dataDir: string): Promise<void> {
  const isThere = await fs.stat(snapshotFolder(dataDir)).catch(undefinedIfMissing);
  if (!isThere) return;
  await withSnapshot(
    dataDir,
    async () => undefined,
    async () => undefined,
  ).catch((error) => {
    if (!(error instanceof StartupError)) throw error;
  });
}

async function clear(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder))
    if (name !== LOCK_FILE) await fs.rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
}
