import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { openDb } from '#server/db/open.ts';
import { createDataFolder } from './data-folder.ts';
import { setTemplate } from './empty-database.ts';

/** Makes the database that tests copy. Runs once before all server tests; the function it returns runs after them. */
export async function setup(): Promise<() => void> {
  const folder = createDataFolder();
  // Test workers and the servers they start inherit this.
  process.env.TMPDIR = folder;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'template-'));
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  // PostgreSQL creates new databases from these two. No test creates one, and they are two thirds of the files.
  await db.execute(sql`update pg_database set datistemplate = false`);
  for (const name of ['template0', 'template1']) await db.execute(sql.raw(`drop database ${name}`));
  await close();
  setTemplate(path.join(dataDir, 'db'));
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
