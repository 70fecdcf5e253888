import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveRows } from '#server/blobs/move-rows.ts';
import { openDurable } from '#server/db/embedded/durable.ts';
import { openDb } from '#server/db/open.ts';
import { userBlobs } from '#server/db/schema/blobs.ts';
import { chatImages } from '#server/db/schema/chat.ts';
import { contactFiles } from '#server/db/schema/contacts.ts';
import { profilePictures } from '#server/db/schema/users.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { blobsOf, contentOf } from '#tests/support/server/blobs.ts';
import { copyDatabase } from '#tests/support/server/empty-database.ts';

const MIGRATIONS = path.resolve('src/server/db/migrations');
const picture = (name: string) => Buffer.from(`bytes of ${name}`.repeat(1000));
const USERS = [randomUUID(), randomUUID()];

let dataDir: string;

beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-old-'));
  await makeOldDatabase();
});
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

/** Creates a database of the version before blobs: two users, each with a photo, three chat images and two contact files. */
async function makeOldDatabase(): Promise<void> {
  const old = path.join(dataDir, 'migrations');
  fs.cpSync(MIGRATIONS, old, { recursive: true });
  const journal = path.join(old, 'meta', '_journal.json');
  const { entries, ...rest } = JSON.parse(fs.readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
  const before = entries.slice(
    0,
    entries.findIndex(({ tag }) => tag.endsWith('_blobs')),
  );
  fs.writeFileSync(journal, JSON.stringify({ ...rest, entries: before }));
  copyDatabase(dataDir);
  const pglite = await openDurable(path.join(dataDir, 'db'));
  await pglite.exec('drop schema drizzle cascade; drop schema public cascade; create schema public');
  await migrate(drizzle(pglite), { migrationsFolder: old });
  for (const id of USERS) {
    const message = randomUUID();
    await pglite.query(
      `insert into users (id, email, first_name, last_name, password_hash, verified_at) values ($1, $2, 'A', 'B', 'x', now())`,
      [id, `${id}@x.yz`],
    );
    await pglite.query(`insert into profile_pictures (user_id, webp) values ($1, $2)`, [id, picture(`photo ${id}`)]);
    for (const n of [1, 2, 3]) {
      await pglite.query(
        `insert into chat_images (user_id, id, type, bytes, preview, width, height) values ($1, $2, 'image/png', $3, $4, 1, 1)`,
        [id, randomUUID(), picture(`chat ${n} ${id}`), picture(`preview ${n} ${id}`)],
      );
    }
    await pglite.query(`insert into contact_messages (id, user_id, kind, name, email, message) values ($1, $2, 'contact', 'A', 'e', 'm')`, [
      message,
      id,
    ]);
    // The same picture twice makes one blob and two rows.
    for (const place of [1, 2])
      await pglite.query(`insert into contact_files (message_id, place, name, type, bytes) values ($1, $2, 'n', 'image/png', $3)`, [
        message,
        place,
        picture('shared'),
      ]);
  }
  await pglite.close();
}

async function contents(): Promise<string[]> {
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  const read = async (row: Parameters<typeof contentOf>[1]) => String(await contentOf({ dataDir }, row));
  const found: string[] = [];
  for (const row of await db.select().from(chatImages)) {
    found.push(await read(row), await read({ hash: row.previewHash, size: row.previewSize, bytes: row.preview }));
  }
  for (const row of await db.select().from(contactFiles)) found.push(await read(row));
  for (const row of await db.select().from(profilePictures)) found.push(await read({ ...row, bytes: row.webp }));
  await close();
  return found.sort();
}

test('old rows are read where they are, moved one by one, also after a kill in the middle, and counted throughout', async () => {
  const expected = USERS.flatMap((id) => [
    ...[1, 2, 3].flatMap((n) => [`chat ${n} ${id}`, `preview ${n} ${id}`]),
    `photo ${id}`,
    'shared',
    'shared',
  ])
    .map((name) => String(picture(name)))
    .sort();
  expect(await contents()).toEqual(expected);

  const sizes = async () => {
    const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
    const rows = await db.select().from(userBlobs);
    await close();
    return { total: rows.reduce((sum, { size }) => sum + size, 0), moved: rows.filter(({ hash }) => hash !== null).length };
  };
  const total = expected.reduce((sum, content) => sum + content.length, 0);
  expect(await sizes()).toEqual({ total, moved: 0 });

  // The process dies after each put, one later each time: the blob is stored, its row is not.
  for (const puts of isNightly ? [1, 2, 3, 4] : [1, 3]) {
    const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
    const store = openBlobs({ dataDir });
    let left = puts;
    const dying = {
      ...store,
      put: async (source: Parameters<typeof store.put>[0]) => (left-- > 0 ? store.put(source) : Promise.reject(new Error('killed'))),
    };
    await expect(moveRows(db, blobsOf({ db, dataDir, store: dying }))).rejects.toThrow('killed');
    await close();
    expect(await contents()).toEqual(expected);
  }
  expect(await sizes()).toEqual({ total, moved: expect.any(Number) });

  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  // Two concurrent moves, as in two processes.
  await Promise.all([moveRows(db, blobsOf({ db, dataDir })), moveRows(db, blobsOf({ db, dataDir }))]);
  await moveRows(db, blobsOf({ db, dataDir }));
  expect((await db.select().from(chatImages)).every(({ bytes, preview }) => bytes === null && preview === null)).toBe(true);
  expect((await db.select().from(contactFiles)).every(({ bytes }) => bytes === null)).toBe(true);
  expect((await db.select().from(profilePictures)).every(({ webp }) => webp === null)).toBe(true);
  await close();
  expect(await contents()).toEqual(expected);
  expect(await sizes()).toEqual({ total, moved: expected.length });
});
