import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Db, openDb } from '#server/db/open.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { copyDatabase } from './empty-database.ts';
import { fillTables } from './fill-tables.ts';
import { filesBelow } from './leaks.ts';

/** Texts of every row of every table, sorted: two databases with equal texts have equal data. */
export type Texts = Record<string, string[]>;

/** Creates a data directory as a stopped server leaves it: `rows` rows in every table, three pictures and both secrets. */
export async function createFilledData(rows: number): Promise<{ dataDir: string; texts: Texts }> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-filled-'));
  copyDatabase(dataDir);
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  await fillTables(db, rows);
  const texts = await textsOf(db);
  await close();
  for (const size of [1, 70_000, 400_000]) await openBlobs({ dataDir }).put(randomBytes(size));
  for (const name of ['jwt-secret', 'secrets-key'])
    fs.writeFileSync(path.join(dataDir, name), randomBytes(32).toString('base64url'), { mode: 0o600 });
  return { dataDir, texts };
}

/** Reads every table as text. */
export async function textsOf(db: Db): Promise<Texts> {
  const select = async <Row>(query: string) => ((await db.execute(query)) as unknown as { rows: Row[] }).rows;
  await select(`set timezone = 'UTC'`);
  const tables = await select<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`);
  const texts: Texts = {};
  for (const { name } of tables) {
    const found = await select<{ text: string }>(`select each::text as text from "${name}" as each`);
    texts[name] = found.map(({ text }) => text).sort();
  }
  return texts;
}

/** Opens a restored or moved database, migrates it as a server does, and reads every table. */
export async function textsIn(from: { dataDir: string; databaseUrl?: string }): Promise<Texts> {
  const { db, close } = await openDb({ databaseUrl: undefined, ...from });
  try {
    return await textsOf(db);
  } finally {
    await close();
  }
}

/** Digests of all files below a folder, by name. */
export const digestsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    filesBelow(folder)
      .sort()
      .map((file) => [path.relative(folder, file), createHash('sha256').update(fs.readFileSync(file)).digest('hex')]),
  );
