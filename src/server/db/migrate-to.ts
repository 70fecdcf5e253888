import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { StartupError } from '../startup-error.ts';

/** Beside this file in the sources, and beside the bundle in dist/server. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Throws `StartupError` unless this version has the migrations of another database, oldest first. */
export function demandKnown(hashes: readonly string[]): void {
  const own = readMigrationFiles({ migrationsFolder });
  if (hashes.length === 0 || hashes.some((hash, index) => hash !== own[index]?.hash))
    throw new StartupError('A newer version of Tidemark made this data. Use that version.');
}

/** Runs the migrations that another database has, so that its rows fit. `run`: drizzle's `migrate` for a folder. */
export async function migrateLike(hashes: readonly string[], run: (folder: string) => Promise<void>): Promise<void> {
  demandKnown(hashes);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-migrations-'));
  try {
    fs.cpSync(migrationsFolder, folder, { recursive: true });
    const file = path.join(folder, 'meta', '_journal.json');
    const journal: { entries: unknown[] } = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, hashes.length) }));
    await run(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
