import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '#server/db/open.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { launch } from '#tests/support/processes/launch.ts';
import { copyDatabase } from '#tests/support/server/empty-database.ts';
import { at } from '#tools/root.mjs';

const program = at('dist/server/main.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-full-'));

beforeAll(() => promisify(execFile)(process.execPath, [at('src/tools/build.mjs'), 'server']), 120_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Starts a server in a shell that limits its files or closes its log, and returns how it ended. */
async function start(prefix: string, env: Record<string, string>, redirect = '') {
  const command = `${prefix}exec "${process.execPath}" "${program}" ${redirect}`;
  const ended = promisify(execFile)('/bin/sh', ['-c', command], {
    env: { PATH: process.env.PATH, PAPER_FEED: 'replay', MARKET: 'demo', PORT: String(await freePort()), ...env },
    timeout: 60_000,
  });
  return ended.then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const said = (dataDir: string, code = 'EFBIG') => ({
  code: 1,
  stdout: '',
  stderr: `Tidemark cannot start. DATA_DIR: no room left to write to ${dataDir} (${code}). Make room, then start again.\n`,
});

/** A shell's command that only a process with mounts of its own can run. */
const MOUNT = ['unshare', '--map-root-user', '--mount', 'sh', '-c'] as const;
const canMount = spawnSync(MOUNT[0], [...MOUNT.slice(1), `mount -t tmpfs tmpfs ${os.tmpdir()}`]).status === 0;

/** Fills the database's log file but for the last page, so that the next start needs another one of 16 MB. */
async function fillLog(db: Db): Promise<void> {
  const left = sql`16777216 - pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint % 16777216`;
  for (let room = 0; room < 16; room++)
    await db.execute(
      sql`select pg_logical_emit_message(false, 'test', repeat('x', least(${left} - 10000, 1000000)::int)) where ${left} > 10000`,
    );
}

describe('a start without room on the disk says so in one line', () => {
  test('with a new data directory, which the next start completes', async () => {
    const dataDir = path.join(folder, 'new');
    expect(await start('ulimit -f 100; ', { DATA_DIR: dataDir })).toEqual(said(dataDir));
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('db') || name.startsWith('.room'))).toEqual([]);
    const { child, ready, ended } = launch(program, { DATA_DIR: dataDir, PORT: String(await freePort()) });
    expect(await ready).toBeDefined();
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('with a database, which stays as it is', async () => {
    const dataDir = path.join(folder, 'old');
    copyDatabase(dataDir);
    const before = await openDb({ databaseUrl: undefined, dataDir });
    await before.db.insert(operatorSwitches).values({ name: 'kept', reason: 'a row of before' });
    await before.close();
    expect(await start('ulimit -f 100; ', { DATA_DIR: dataDir })).toEqual(said(dataDir));
    const after = await openDb({ databaseUrl: undefined, dataDir });
    const rows = await after.db.select().from(operatorSwitches);
    await after.close();
    expect(rows).toMatchObject([{ name: 'kept', reason: 'a row of before' }]);
  });

  test.skipIf(!canMount)('with a few MB, too few for another log file of the database', async () => {
    const [dataDir, disk] = [path.join(folder, 'few'), path.join(folder, 'disk')];
    copyDatabase(dataDir);
    const before = await openDb({ databaseUrl: undefined, dataDir });
    await fillLog(before.db);
    await before.close();
    fs.mkdirSync(disk);
    const size = Number(spawnSync('du', ['-sk', dataDir]).stdout.toString().split('\t')[0]) + 4096;
    const copied = path.join(disk, 'few');
    const full = `mount -t tmpfs -o size=${size}k tmpfs ${disk} && cp -r ${dataDir} ${disk} && `;
    expect(await start(`exec ${MOUNT.join(' ')} '${full}`, { DATA_DIR: copied }, `'`)).toEqual(said(copied, 'ENOSPC'));
  });

  test('with DATABASE_URL, for the files beside it', async () => {
    const dataDir = path.join(folder, 'beside');
    expect(await start('ulimit -f 0; ', { DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toEqual(said(dataDir));
  });

  test.skipIf(!fs.existsSync('/dev/full'))('for the log', async () => {
    const dataDir = path.join(folder, 'log');
    copyDatabase(dataDir);
    const ended = await start('', { DATA_DIR: dataDir, LOG_LEVEL: 'info' }, '2>/dev/full');
    expect(ended).toEqual({ code: 1, stdout: 'Tidemark stops, because its log cannot be written (ENOSPC).\n', stderr: '' });
  });
});
