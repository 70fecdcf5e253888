import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import { vacuum } from '#server/housekeeping/vacuum.ts';
import { StartupError } from '#server/startup-error.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { bundleProgram } from '#tests/support/processes/bundle.mjs';
import { copyDatabase } from '#tests/support/server/empty-database.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-database-'));
  copyDatabase(dataDir);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const open = () => openDb({ databaseUrl: undefined, dataDir });
const user = (index: number) => ({ email: `${index}@example.com`, firstName: 'Ada', lastName: 'Lovelace', passwordHash: 'x' });

describe('the embedded database', () => {
  test('has every commit on disk before it is acknowledged', async () => {
    const { db, close } = await open();
    const fsync = vi.spyOn(fs, 'fsyncSync');
    const commits = 50;
    for (let index = 0; index < commits; index++) await db.insert(users).values(user(index));
    expect(fsync.mock.calls.length).toBeGreaterThanOrEqual(commits);
    const read = fsync.mock.calls.length;
    await db.select().from(users);
    expect(fsync.mock.calls.length).toBe(read);
    await close();
  });

  test('keeps its rows from one opening to the next', async () => {
    const first = await open();
    await first.db.insert(users).values(user(1));
    await first.close();
    const second = await open();
    expect(await second.db.$count(users)).toBe(1);
    await second.close();
  });

  test('does not grow when rows are inserted and deleted', async () => {
    const { db, close } = await open();
    const comeAndGo = async () => {
      await db.execute(sql`
        insert into users (email, first_name, last_name, password_hash)
        select number || '@example.com', 'Ada', 'Lovelace', 'x' from generate_series(1, 600) as number`);
      await db.delete(users);
      await vacuum(db);
    };
    const size = async () => {
      const { rows } = (await db.execute(sql`select pg_total_relation_size('users')::int as size`)) as unknown as {
        rows: { size: number }[];
      };
      return rows[0]?.size ?? 0;
    };
    const sizes: number[] = [];
    for (let round = 0; round < 8; round++) {
      await comeAndGo();
      sizes.push(await size());
    }
    // PostgreSQL frees the pages of an index one round later.
    expect(sizes[7]).toBeLessThan(1.2 * (sizes[3] ?? 0));
    await close();
  });

  test('rolls back a failed transaction', async () => {
    const { db, close } = await open();
    const failing = db.transaction(async (tx) => {
      await tx.insert(users).values(user(1));
      await tx.execute(sql`select 1/0`);
    });
    await expect(failing).rejects.toThrow();
    expect(await db.$count(users)).toBe(0);
    await close();
  });

  test('never runs through V8’s optimizing compiler, which takes hundreds of MB', async () => {
    const program = await bundleProgram('src/server/db/embedded/durable.ts');
    const script = `import { openDurable } from ${JSON.stringify(pathToFileURL(program))};
      const db = await openDurable(${JSON.stringify(path.join(dataDir, 'db'))});
      for (let round = 0; round < 20; round++) await db.query('select count(*) from pg_class where oid > $1', [round]);
      await db.close();`;
    const flags = ['--trace-wasm-compilation-times', '--wasm-tiering-budget=1000', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { maxBuffer: 2 ** 26 });
    expect(stdout).toContain('using Liftoff');
    expect(stdout).not.toContain('using TurboFan');
  });

  // It runs initdb. Browser tests start the built server in new folders, where it copies the build's database.
  test.runIf(isNightly)(
    'is created in a folder without one, and deletes drafts of killed starts',
    async () => {
      fs.rmSync(path.join(dataDir, 'db'), { recursive: true });
      fs.mkdirSync(path.join(dataDir, 'db.new-killed', 'base'), { recursive: true });
      const { db, close } = await open();
      expect(await db.$count(users)).toBe(0);
      expect(fs.readdirSync(dataDir)).toEqual(['db']);
      await close();
    },
    60_000,
  );
});

describe('a data directory', () => {
  test('opens once, and again after it is closed', async () => {
    const { close } = await open();
    const second = open();
    await expect(second).rejects.toThrow(StartupError);
    await expect(second).rejects.toThrow(`DATA_DIR: ${dataDir} is already open in another Tidemark process.`);
    await close();
    await (await open()).close();
  });

  test('is recognized under any path that leads to it', async () => {
    const link = `${dataDir}-link`;
    fs.symlinkSync(dataDir, link);
    try {
      const { close } = await open();
      await expect(openDb({ databaseUrl: undefined, dataDir: link })).rejects.toThrow(StartupError);
      await close();
    } finally {
      fs.rmSync(link);
    }
  });

  test('opens in exactly one of several processes that start at once, even after a kill', async () => {
    const script = lockScript();
    for (let round = 0; round < 3; round++) {
      const starters = await Promise.all(Array.from({ length: 4 }, () => startLocker(script)));
      expect(starters.map(({ said }) => said).sort()).toEqual(['refused', 'refused', 'refused', 'taken']);
      // Kill instead of close, so that the next round finds a stale lock.
      for (const { kill } of starters) await kill();
    }
  });

  /** Builds a program that takes the lock, prints the result and keeps running. */
  function lockScript(): string {
    const outfile = path.join(dataDir, 'lock.mjs');
    const entry = fileURLToPath(new URL('../../../src/server/db/embedded/directory-lock.ts', import.meta.url));
    buildSync({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
    return `import { lockDirectory } from ${JSON.stringify(pathToFileURL(outfile))};
      setInterval(() => undefined, 60_000);
      lockDirectory(${JSON.stringify(dataDir)}).then(() => console.log('taken'), () => console.log('refused'));`;
  }

  async function startLocker(script: string) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await once(child.stdout, 'data');
    const kill = async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    return { said: String(said).trim(), kill };
  }
});
