import { missingRightOf } from '#server/db/database-errors.ts';
import { demandComplete } from '#server/incomplete.ts';
import { StartupError } from '#server/startup-error.ts';
import { openEmbedded } from '../backup/embedded.ts';
import { reasonOf } from '../backup/reason.ts';
import { copyAtRest, withSnapshot } from '../backup/snapshot.ts';
import { appliedMigrations, type Checksum, checksumOf, describeTables, type Query, readRows, type Table } from '../backup/tables.ts';
import type { Rows } from '../commands.ts';
import { demandDatabase } from '../demand-database.ts';
import { identify, openTarget, type Target } from './target.ts';

const NEXT =
  'Set DATABASE_URL. Keep DATA_DIR: blobs/ holds the pictures. On other machines set JWT_SECRET and SECRETS_KEY to the content of ' +
  'DATA_DIR/jwt-secret and DATA_DIR/secrets-key, or users are signed out and exchange keys cannot be read. Then delete DATA_DIR/db.';

/**
 * Copies the embedded database of a stopped server to an empty PostgreSQL database, and compares every table. It reads a copy
 * of the data directory. After a kill or an error, the same command continues.
 */
export async function move(dataDir: string, to: string): Promise<Rows> {
  return withTarget(dataDir, to, async (target) => {
    await target.demandEmpty();
    return withSource(dataDir, (source) => moveTables(source, target));
  }).catch((error) => {
    if (error instanceof StartupError) throw error;
    const first = missingRightOf(error) ? 'Give the role this right, then run' : 'Run';
    throw new StartupError(`The move stopped (${reasonOf(error)}). ${first} it again: it continues.`);
  });
}

/** Compares every table of a stopped server's embedded database with the database that it was moved to. */
export const compare = (dataDir: string, to: string): Promise<Rows> =>
  withTarget(dataDir, to, (target) => withSource(dataDir, (source) => compareTables(source, target)));

async function withTarget<T>(dataDir: string, to: string, work: (target: Target) => Promise<T>): Promise<T> {
  if (process.env.DATABASE_URL?.trim()) throw new StartupError('DATABASE_URL: the data is in PostgreSQL already.');
  demandComplete(dataDir);
  demandDatabase(dataDir);
  const target = await openTarget(to);
  try {
    return await work(target);
  } finally {
    await target.close().catch(() => undefined);
  }
}

/** Opens a copy of the data, which no server may have open. */
const withSource = <T>(dataDir: string, work: (source: Query) => Promise<T>): Promise<T> =>
  withSnapshot(
    dataDir,
    () => copyAtRest(dataDir),
    async (folder) => {
      const source = await openEmbedded(folder);
      try {
        return await work(source.query);
      } finally {
        await source.close();
      }
    },
  );

async function moveTables(source: Query, target: Target): Promise<Rows> {
  const [migrations, tables] = [await appliedMigrations(source), await describeTables(source)];
  const sums = await sumsOf(source, tables);
  const done = await target.prepare({ migrations, tables, identity: identify(migrations, sums) });
  for (const table of tables) {
    for await (const batch of readRows(source, table, done.get(table.name))) await target.store(table, batch);
  }
  const copied = await sumsOf(target.query, tables);
  const wrong = tables.filter(({ name }) => JSON.stringify(sums.get(name)) !== JSON.stringify(copied.get(name)));
  if (wrong.length > 0)
    throw new StartupError(
      `These tables differ from their source: ${wrong.map(({ name }) => name).join(', ')}. Create a new, empty database.`,
    );
  await target.finish().catch((error) => {
    throw new StartupError(
      `All tables are copied and equal, but the end of the move is not confirmed (${reasonOf(error)}). Run it again: it ends the move, or says ` +
        'that the database has data already, which then means that the move is complete. `verify --to` compares both.',
    );
  });
  return [...tables.map(({ name }) => ({ table: name, ...sums.get(name) })), { next: NEXT }];
}

async function compareTables(source: Query, target: Target): Promise<Rows> {
  const tables = await describeTables(source);
  const found = new Set((await describeTables(target.query)).map(({ name }) => name));
  const rows: Rows = [];
  for (const table of tables) {
    const own = await checksumOf(source, table);
    const moved = found.has(table.name) ? await checksumOf(target.query, table) : undefined;
    const isEqual = JSON.stringify(own) === JSON.stringify(moved);
    rows.push({ check: `${table.name} is equal in both`, rows: own.rows, moved_rows: moved?.rows ?? null, faults: isEqual ? 0 : 1 });
  }
  return rows;
}

async function sumsOf(query: Query, tables: readonly Table[]): Promise<Map<string, Checksum>> {
  const sums = new Map<string, Checksum>();
  for (const table of tables) sums.set(table.name, await checksumOf(query, table));
  return sums;
}
