import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { build } from 'esbuild';
import { PGlite as PreviousPGlite } from 'pglite-previous';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POSTGRES } from '#server/db/embedded/durable.ts';
import { migrateLike, migrationsFolder } from '#server/db/migrate-to.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { openEmbedded } from '#server/operator/backup/embedded.ts';
import { appliedMigrations } from '#server/operator/backup/tables.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { buildServer, operatorRows, runOperator } from '#tests/support/processes/operator.ts';
import { copyDatabase } from '#tests/support/server/empty-database.ts';
import { fillTables } from '#tests/support/server/fill-tables.ts';
import { type Texts, textsIn, textsOf } from '#tests/support/server/filled-data.ts';
import { bundle, copyData } from '#tools/build/build-server.mjs';
import { at } from '#tools/root.mjs';

let folder: string;

beforeAll(async () => {
  await buildServer();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-upgrade-'));
}, 240_000);
afterAll(() => {
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

/** Creates a data directory with the PGlite before this one, which has PostgreSQL 17. */
async function createPrevious(): Promise<{ dataDir: string; texts: Texts }> {
  const dataDir = path.join(folder, 'previous');
  fs.mkdirSync(dataDir);
  const pglite = await PreviousPGlite.create(path.join(dataDir, 'db'));
  const db = drizzle(pglite as unknown as PGlite);
  await migrate(db, { migrationsFolder });
  await fillTables(db as unknown as Db, 10);
  const texts = await textsOf(db as unknown as Db);
  await pglite.close();
  return { dataDir, texts };
}

/** Builds the admin CLI as a version of Tidemark with the previous PGlite has it. */
async function buildPrevious(): Promise<string> {
  const outdir = at('dist/tests-previous');
  const options = bundle(outdir);
  await build({
    ...options,
    entryPoints: { operator: 'src/server/operator/main.ts' },
    alias: { '@electric-sql/pglite': 'pglite-previous' },
    // That version opened its own PGlite, whose internals are others.
    plugins: [
      { name: 'previous', setup: ({ onLoad }) => onLoad({ filter: /durable\.ts$/ }, () => ({ contents: DURABLE, resolveDir: at('.') })) },
    ],
  });
  copyData(outdir);
  return path.join(outdir, 'operator.js');
}

const DURABLE = `
  import { PGlite } from '@electric-sql/pglite';
  export const openDurable = (directory) => PGlite.create(directory);`;

const refusal = (dataDir: string) =>
  `DATA_DIR: ${dataDir}/db was made with PostgreSQL 17, and this version of Tidemark has ${POSTGRES}. ` +
  'Run `npm run operator -- backup` with the version that made it, and `restore` with this one (docs/operations.md, Upgrade).\n';

test('the files of another PostgreSQL are refused in one line that says what to do', async () => {
  const dataDir = path.join(folder, 'other');
  copyDatabase(dataDir);
  const file = path.join(dataDir, 'db', 'PG_VERSION');
  expect(fs.readFileSync(file, 'utf8').trim()).toBe(POSTGRES);
  fs.writeFileSync(file, '17\n');
  expect(await runOperator(['users'], { DATA_DIR: dataDir })).toEqual({ code: 1, stdout: '', stderr: refusal(dataDir) });
  await expect(openDb({ databaseUrl: undefined, dataDir })).rejects.toThrow(refusal(dataDir).trim());
});

/** Made on 23 November 2026 by the first version with backups: two users, their chats and pictures. Never make it anew. */
const FIRST = at('tests/server/backup/format-1.tar.gz');

test('a backup of the first version with backups is restored and migrated', async () => {
  const to = path.join(folder, 'first');
  const [report] = await operatorRows(['restore', '--from', FIRST], { DATA_DIR: to });
  expect(report).toMatchObject({ rows: 141, made: '2026-11-23T17:51:28.581Z', blobs: 2, secrets: ['jwt-secret', 'secrets-key'] });
  expect((await operatorRows(['verify'], { DATA_DIR: to })).filter(({ faults }) => faults !== 0)).toEqual([]);
});

// The backup of the first version covers this too, once there are newer migrations.
test.runIf(isNightly)(
  'a backup of a database that lacks the newest migrations is restored as it was, and migrated at the next start',
  async () => {
    const dataDir = path.join(folder, 'older');
    fs.cpSync(at('dist/server/cluster'), path.join(dataDir, 'db'), { recursive: true });
    const { pglite, query, close } = await openEmbedded(dataDir);
    const hashes = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);
    await migrateLike(hashes.slice(0, -2), (below) => migrate(drizzle(pglite), { migrationsFolder: below }));
    await query(`insert into users (email, first_name, last_name, password_hash) values ('ada@example.com', 'Ada', 'L', 'x')`);
    await close();
    const [file, to] = [path.join(folder, 'older-backup'), path.join(folder, 'older-restored')];
    await operatorRows(['backup', '--to', file], { DATA_DIR: dataDir });
    await operatorRows(['restore', '--from', file], { DATA_DIR: to });
    expect((await operatorRows(['users'], { DATA_DIR: to })).map(({ email }) => email)).toEqual(['ada@example.com']);
    const migrated = await openEmbedded(to);
    expect(await appliedMigrations(migrated.query)).toEqual(hashes);
    await migrated.close();
  },
);

// PGlite's initdb takes seconds and 900 MB.
test.runIf(isNightly)('a backup by a version with the previous PGlite keeps every row in this one', { timeout: 240_000 }, async () => {
  const { dataDir, texts } = await createPrevious();
  expect(await runOperator(['users'], { DATA_DIR: dataDir })).toEqual({ code: 1, stdout: '', stderr: refusal(dataDir) });
  const file = path.join(folder, 'backup');
  await operatorRows(['backup', '--to', file], { DATA_DIR: dataDir }, await buildPrevious());
  const to = path.join(folder, 'new');
  await operatorRows(['restore', '--from', file], { DATA_DIR: to });
  expect(await textsIn({ dataDir: to })).toEqual(texts);
});
