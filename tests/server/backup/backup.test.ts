import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { getTableName, sql } from 'drizzle-orm';
import * as tar from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_LINK_SIZE } from '#contract/chat/chat-links.ts';
import { readConfig } from '#server/config.ts';
import { lockDirectory } from '#server/db/embedded/directory-lock.ts';
import { openDb } from '#server/db/open.ts';
import { restore as restoreHere } from '#server/operator/backup/restore.ts';
import { StartupError } from '#server/startup-error.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { buildServer, operatorRows, runOperator, startOperator } from '#tests/support/processes/operator.ts';
import { tablesOfSchema } from '#tests/support/server/fill-tables.ts';
import { createFilledData, digestsOf, type Texts, textsIn } from '#tests/support/server/filled-data.ts';
import { at } from '#tools/root.mjs';

/** More than one batch of rows. */
const ROWS = 30;
const BLOBS = /^[0-9a-f]{64}$/;

let folder: string;
let dataDir: string;
let texts: Texts;
/** A backup of `dataDir`, and the digests of its files before. */
let file: string;
let before: Record<string, string>;

beforeAll(async () => {
  await buildServer();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-backup-'));
  ({ dataDir, texts } = await createFilledData(ROWS));
  file = path.join(folder, 'good.tar.gz');
  before = digestsOf(dataDir);
  await operatorRows(['backup', '--to', file], { DATA_DIR: dataDir });
}, 240_000);
afterAll(() => {
  for (const each of [folder, dataDir]) if (each) fs.rmSync(each, { recursive: true, force: true });
});

let folders = 0;
const newFolder = () => path.join(folder, `new-${folders++}`);
const restore = (from: string, to: string) => runOperator(['restore', '--from', from], { DATA_DIR: to });
const blobsBelow = (from: string) =>
  Object.fromEntries(Object.entries(digestsOf(path.join(from, 'blobs'))).filter(([name]) => BLOBS.test(path.basename(name))));
const secretsIn = (from: string) => ['jwt-secret', 'secrets-key'].map((name) => fs.readFileSync(path.join(from, name), 'utf8'));

test('a restored data directory has every row of every table, every picture and the secrets, and the backup changed no file', async () => {
  expect(digestsOf(dataDir)).toEqual(before);
  expect(fs.readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const to = newFolder();
  // As in a new volume.
  fs.mkdirSync(path.join(to, 'lost+found'), { recursive: true, mode: 0o700 });
  const [report] = await operatorRows(['restore', '--from', file], { DATA_DIR: to });
  expect(report).toMatchObject({ restored: to, blobs: 3, secrets: ['jwt-secret', 'secrets-key'] });
  const tables = (await tablesOfSchema()).map((table) => getTableName(table)).sort();
  expect(Object.keys(texts).sort()).toEqual(tables);
  expect(Object.values(texts).every((rows) => rows.length === ROWS)).toBe(true);
  expect(await textsIn({ dataDir: to })).toEqual(texts);
  expect(Object.keys(blobsBelow(to))).toHaveLength(3);
  expect(blobsBelow(to)).toEqual(blobsBelow(dataDir));
  expect(secretsIn(to)).toEqual(secretsIn(dataDir));
  expect(fs.readdirSync(to)).toContain('lost+found');
  expect(fs.statSync(to).mode & 0o777).toBe(0o700);
  expect(fs.statSync(path.join(to, 'secrets-key')).mode & 0o777).toBe(0o600);
});

describe('a backup is refused with one line', () => {
  test.each([
    ['onto a file', () => ({ to: file, env: {} }), 'good.tar.gz exists already.'],
    ['into no folder', () => ({ to: path.join(folder, 'none', 'x'), env: {} }), '(ENOENT). Nothing was kept.'],
    ['below a file', () => ({ to: path.join(file, 'x'), env: {} }), '(ENOTDIR). Nothing was kept.'],
    ['into the copy that it reads', () => ({ to: path.join(dataDir, 'backup', 'x'), env: {} }), 'Choose another folder.'],
    ['of PostgreSQL', () => ({ to: 'x', env: { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' } }), 'pg_dump'],
    ['of nothing', () => ({ to: 'x', env: { DATA_DIR: newFolder() } }), 'there is no database at'],
  ])('%s', async (_, given, line) => {
    const { to, env } = given();
    const names = fs.readdirSync(folder);
    const said = await runOperator(['backup', '--to', to], { DATA_DIR: dataDir, ...env });
    expect(said).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(line) });
    expect(said.stderr).toMatch(/^[^\n]+\n$/);
    expect(said.stderr).not.toContain('hidden');
    expect(fs.readdirSync(folder)).toEqual(names);
  });

  test('on a full disk of DATA_DIR', async () => {
    const names = fs.readdirSync(folder);
    const command = `ulimit -f 100; exec "${process.execPath}" "${at('src/tools/operator.mjs')}" backup --to "${path.join(folder, 'full')}"`;
    const failed = promisify(execFile)('/bin/sh', ['-c', command], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: `The data could not be copied to ${path.join(dataDir, 'backup')} (EFBIG).\n`,
    });
    expect(fs.readdirSync(folder)).toEqual(names);
    expect(digestsOf(dataDir)).toEqual(before);
  });
});

test('a backup on a file system without links, such as exFAT, is complete', async () => {
  const to = path.join(folder, 'without-links');
  const refuse = `data:text/javascript,import fs from 'node:fs/promises'; fs.link = async () => { throw Object.assign(new Error(), { code: 'EPERM' }) };`;
  await operatorRows(['backup', '--to', to], { DATA_DIR: dataDir, NODE_OPTIONS: `--import="${refuse}"` });
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('without-links'))).toEqual(['without-links']);
  await operatorRows(['restore', '--from', to], { DATA_DIR: newFolder() });
});

test('the largest copies of chats fit into a backup, which a restore reads', async () => {
  const from = newFolder();
  fs.cpSync(dataDir, from, { recursive: true });
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir: from });
  // More than a backup's largest entry, in characters of three bytes.
  await db.execute(sql`insert into chat_links
    (user_id, id, archive_id, token_hash, title, messages, message_count, with_pictures, left_out, has_earlier, expires_at)
    select user_id, gen_random_uuid(), archive_id, 'link ' || place, 'x', to_jsonb(repeat('市', ${MAX_LINK_SIZE}::int)), 1, false, 0, false, now()
    from (select * from chat_links limit 1) as link, generate_series(1, 190) as place`);
  await close();
  const [large, to] = [path.join(folder, 'large'), newFolder()];
  const [made] = await operatorRows(['backup', '--to', large], { DATA_DIR: from });
  expect((await operatorRows(['restore', '--from', large], { DATA_DIR: to }))[0]).toMatchObject({ rows: made?.rows });
}, 120_000);

test('a second backup beside a running one is refused', async () => {
  fs.mkdirSync(path.join(dataDir, 'backup'));
  const unlock = await lockDirectory(path.join(dataDir, 'backup'));
  const said = await runOperator(['backup', '--to', path.join(folder, 'second')], { DATA_DIR: dataDir });
  expect(said).toEqual({ code: 1, stdout: '', stderr: 'Another backup or move is running.\n' });
  await unlock();
  fs.rmdirSync(path.join(dataDir, 'backup'));
});

/** Waits until a command has made `what`. Throws if it is over before. */
async function begins(said: Promise<unknown>, what: string): Promise<void> {
  let outcome: unknown;
  void said.then((last) => {
    outcome = last;
  });
  await vi.waitUntil(() => outcome || fs.existsSync(what), { interval: 1 });
  expect(outcome).toBeUndefined();
}

/** Makes a pipe. Who opens it waits for its other end. */
function pipeAt(at: string): string {
  execFileSync('mkfifo', [at]);
  return at;
}

test('a killed backup leaves no file, and the next one starts over', async () => {
  const to = path.join(folder, 'killed');
  // It copies the database, and then waits for this secret.
  const secret = pipeAt(path.join(dataDir, 'secrets-key.previous'));
  const { child, said } = startOperator(['backup', '--to', to], { DATA_DIR: dataDir });
  await begins(said, path.join(dataDir, 'backup', 'secrets', 'secrets-key'));
  child.kill('SIGKILL');
  expect((await said).code).toBeNull();
  fs.rmSync(secret);
  expect(fs.existsSync(path.join(dataDir, 'backup', 'db'))).toBe(true);
  expect(fs.existsSync(to)).toBe(false);
  await operatorRows(['backup', '--to', to], { DATA_DIR: dataDir });
  expect(fs.existsSync(path.join(dataDir, 'backup'))).toBe(false);
});

/** Entries of a backup, to make another one of. */
async function unpack(): Promise<{ name: string; content: Buffer }[]> {
  const entries: { name: string; content: Buffer }[] = [];
  const extract = tar.extract();
  Readable.from([gunzipSync(fs.readFileSync(file))]).pipe(extract as never);
  for await (const entry of extract) entries.push({ name: entry.header.name, content: await buffer(entry as never) });
  return entries;
}

async function pack(entries: readonly { name: string; content: Buffer | string; linkname?: string }[]): Promise<Buffer> {
  const packed = tar.pack();
  for (const { name, content, linkname } of entries) {
    if (linkname) packed.entry({ name, type: 'symlink', linkname });
    else packed.entry({ name }, content);
  }
  packed.finalize();
  return gzipSync(await buffer(packed as never), { level: 1 });
}

const changed = (content: Buffer, change: (heading: { format: number; migrations: string[]; tables: unknown[] }) => object) => {
  const heading = JSON.parse(content.toString());
  return JSON.stringify({ ...heading, ...change(heading) });
};

describe('a restore is refused, and leaves nothing', () => {
  const bytes = () => fs.readFileSync(file);
  // Pictures are random bytes; in repeated text a flipped bit may mean the same text.
  const flipped = (share: number) => {
    const all = bytes();
    const place = Math.floor(all.length * share);
    all[place] = (all[place] ?? 0) ^ 0x10;
    return all;
  };
  const withoutLetter = ({ name, content }: { name: string; content: Buffer }) =>
    name === 'rows/users/1' ? { name, content: Buffer.from(content.toString().replace('a', 'b')) } : { name, content };
  const withEntry = async (entry: { name: string; content: string; linkname?: string }) => {
    const [first, ...rest] = await unpack();
    return first ? pack([first, entry, ...rest]) : bytes();
  };
  const withHeading = async (change: Parameters<typeof changed>[1]) => {
    const [first, ...rest] = await unpack();
    return first ? pack([{ name: first.name, content: changed(first.content, change) }, ...rest]) : bytes();
  };
  const ALTERED = 'The file is not a backup of Tidemark, or it is cut off or altered';

  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['of nothing', () => Buffer.alloc(0), 'it is cut off or altered'],
    ['of another file', () => Buffer.from('hello '.repeat(1000)), ALTERED],
    ['of another archive', () => pack([{ name: 'etc/passwd', content: 'x' }]), 'has an entry that no backup has: "etc/passwd".'],
    ['of half a file', () => bytes().subarray(0, bytes().length / 2), ALTERED],
    ['of a file without its last byte', () => bytes().subarray(0, -1), ALTERED],
    ['of a file that ends between two entries', async () => pack((await unpack()).slice(0, -1)), ALTERED],
    ['of a file without a picture', async () => pack((await unpack()).filter(({ name }) => !name.startsWith('blobs/'))), ALTERED],
    ['of a file with another row', async () => pack((await unpack()).map(withoutLetter)), ALTERED],
    ['of a file with a flipped bit in its middle', () => flipped(0.5), ALTERED],
    ['of a file with a flipped bit near its end', () => flipped(0.99), ALTERED],
    [
      'of a heading that would take gigabytes of memory',
      () => pack([{ name: 'backup.json', content: `[${'0,'.repeat(2 ** 20)}0]` }]),
      'has an entry that no backup has: "backup.json".',
    ],
    ['of an end that would', () => withEntry({ name: 'end.json', content: `[${'0,'.repeat(2 ** 20)}0]` }), 'no backup has: "end.json".'],
    ['of a path that climbs', () => withEntry({ name: '../climbed', content: 'x' }), 'has an entry that no backup has: "../climbed".'],
    ['of a secret that climbs', () => withEntry({ name: 'secrets/../climbed', content: 'x' }), 'has an entry that no backup has'],
    ['of an absolute path', () => withEntry({ name: '/tmp/climbed', content: 'x' }), 'has an entry that no backup has'],
    ['of a link', () => withEntry({ name: 'secrets/jwt-secret', content: '', linkname: '/etc/passwd' }), 'has an entry that no backup has'],
    ['of another secret', () => withEntry({ name: 'secrets/operator.sock', content: 'x' }), 'has an entry that no backup has'],
    ['of another picture', () => withEntry({ name: `blobs/${'0'.repeat(64)}`, content: 'x' }), ALTERED],
    [
      'of a newer format',
      () => withHeading(({ format }) => ({ format: format + 1, tables: null })),
      'A newer version of Tidemark made this backup.',
    ],
    [
      'of a newer database',
      () => withHeading(({ migrations }) => ({ migrations: [...migrations, 'x'] })),
      'A newer version of Tidemark made this data.',
    ],
  ])('%s', async (_, content, line) => {
    const [from, to] = [newFolder(), newFolder()];
    fs.writeFileSync(from, await content());
    const error = await restoreHere(to, from).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toMatch(/^[^\n]+ Nothing was restored\.$/);
    expect((error as Error).message).toContain(line);
    expect(fs.existsSync(to)).toBe(false);
    expect(fs.existsSync(path.join(folder, 'climbed'))).toBe(false);
  });

  test.runIf(isNightly)('of other tables than its version had, by the command', async () => {
    const [from, to] = [newFolder(), newFolder()];
    const [first, ...rest] = await unpack();
    const sum = createHash('sha256');
    const content = changed(first?.content ?? Buffer.alloc(0), ({ tables }) => ({ tables: tables.slice(1) }));
    const entries = [{ name: 'backup.json', content: Buffer.from(content) }, ...rest.slice(0, -1)];
    for (const entry of entries) sum.update(`${entry.name}\0${entry.content.length}\0`).update(entry.content);
    const end = { name: 'end.json', content: Buffer.from(JSON.stringify({ entries: entries.length, digest: sum.digest('hex') })) };
    fs.writeFileSync(from, await pack([...entries, end]));
    const line = `${from}: The tables in the file are not those of its version. Nothing was restored.\n`;
    expect(await restore(from, to)).toEqual({ code: 1, stdout: '', stderr: line });
    expect(fs.existsSync(to)).toBe(false);
  });

  test('of no file', async () => {
    const [from, to] = [newFolder(), newFolder()];
    const line = `${from}: The file cannot be read (ENOENT). Nothing was restored.\n`;
    expect(await restore(from, to)).toEqual({ code: 1, stdout: '', stderr: line });
    expect(fs.existsSync(to)).toBe(false);
  });

  test('into a folder with a file, which stays', async () => {
    const to = newFolder();
    fs.mkdirSync(to);
    fs.writeFileSync(path.join(to, 'mine'), 'mine');
    expect(await restore(file, to)).toEqual({
      code: 1,
      stdout: '',
      stderr: `DATA_DIR: ${to} is not empty. Restore into an empty folder.\n`,
    });
    expect(digestsOf(to)).toEqual({ mine: expect.any(String) });
  });

  test('from a pipe', { timeout: 60_000 }, async () => {
    const [pipe, to] = [pipeAt(newFolder()), newFolder()];
    const line = `${pipe} is no file. A restore reads it twice: save the backup to a file first. Nothing was restored.\n`;
    expect(await restore(pipe, to)).toEqual({ code: 1, stdout: '', stderr: line });
    expect(fs.existsSync(to)).toBe(false);
  });

  test('from a file in the folder that it empties, which stays', async () => {
    const to = newFolder();
    fs.mkdirSync(to);
    fs.writeFileSync(path.join(to, 'incomplete-restore'), '');
    fs.copyFileSync(file, path.join(to, 'mine'));
    fs.symlinkSync(to, `${to}-link`);
    for (const [from, dir] of [
      [path.join(to, 'mine'), to],
      [path.join(to, 'mine'), `${to}-link`],
    ] as const) {
      const line = `${from} is in DATA_DIR, which a restore empties first. Move the file out of it. Nothing was restored.\n`;
      expect(await restore(from, dir)).toEqual({ code: 1, stdout: '', stderr: line });
    }
    expect(fs.readdirSync(to).sort()).toEqual(['incomplete-restore', 'mine']);
  });

  test('into the folder of a running process', async () => {
    const to = newFolder();
    fs.mkdirSync(to);
    const unlock = await lockDirectory(to);
    expect(await restore(file, to)).toMatchObject({ code: 1, stderr: `DATA_DIR: ${to} is already open in another Tidemark process.\n` });
    await unlock();
    expect(fs.readdirSync(to)).toEqual([]);
  });

  test('while DATABASE_URL is set', async () => {
    const to = newFolder();
    const said = await runOperator(['restore', '--from', file], { DATA_DIR: to, DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' });
    expect(said).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('unset DATABASE_URL') });
    expect(fs.existsSync(to)).toBe(false);
  });
});

/** A restore reads the file twice: to check it, and to fill the folder. The second time it waits for the last byte for ever. */
const WITHOUT_LAST_BYTE = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { PassThrough } from 'node:stream';
  const open = fs.createReadStream;
  let reads = 0;
  fs.createReadStream = (name) => {
    if (++reads === 1) return open(name);
    setInterval(() => undefined, 1000);
    return open(name, { end: fs.statSync(name).size - 2 }).pipe(new PassThrough(), { end: false });
  };
  syncBuiltinESMExports();`;

const KILLS = isNightly ? [0, 20, 50, 100, 200, 300, 400, 500, 600, 800, 1000] : [60];

test.each(KILLS)(
  'a restore that is killed %i ms after it began is refused at start, and starts over',
  { timeout: 240_000 },
  async (wait) => {
    const to = newFolder();
    const NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(WITHOUT_LAST_BYTE)}"`;
    const { child, said } = startOperator(['restore', '--from', file], { DATA_DIR: to, NODE_OPTIONS });
    await begins(said, path.join(to, 'incomplete-restore'));
    await new Promise((resolve) => setTimeout(resolve, wait));
    child.kill('SIGKILL');
    expect((await said).code).toBeNull();
    const line = `DATA_DIR: ${to} holds an unfinished restore. Run the restore again; it starts over.`;
    expect(() => readConfig({ DATA_DIR: to })).toThrow(line);
    expect(await runOperator(['users'], { DATA_DIR: to })).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(await runOperator(['backup', '--to', newFolder()], { DATA_DIR: to })).toMatchObject({ code: 1, stderr: `${line}\n` });
    const [report] = await operatorRows(['restore', '--from', file], { DATA_DIR: to });
    expect(report).toMatchObject({ rows: ROWS * Object.keys(texts).length, blobs: 3 });
    if (isNightly) expect(await textsIn({ dataDir: to })).toEqual(texts);
  },
);
