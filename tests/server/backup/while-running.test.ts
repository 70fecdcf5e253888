import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createUserBlobs } from '#server/blobs/user-blobs.ts';
import { openDb } from '#server/db/open.ts';
import { archives, chatImages, chats } from '#server/db/schema/chat.ts';
import { paperAccounts, paperOrders } from '#server/db/schema/paper.ts';
import { profilePictures, users } from '#server/db/schema/users.ts';
import { copyForBackup } from '#server/operator/backup/copy-for-backup.ts';
import { openEmbedded } from '#server/operator/backup/embedded.ts';
import { verify } from '#server/operator/verify/verify.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { type Account, call, signUp } from '#tests/faults/api.ts';
import { plantBots } from '#tests/support/bots/bot-rig.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { buildServer, operatorRows, runOperator } from '#tests/support/processes/operator.ts';
import { connect, questionOf, send } from '#tests/support/server/realtime.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

let app: RunningApp;
let folder: string;
let people: Account[];

beforeAll(async () => {
  await buildServer();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-running-'));
  const dataDir = path.join(folder, 'data');
  // What a killed backup leaves behind.
  fs.mkdirSync(path.join(dataDir, 'backup', 'blobs'), { recursive: true });
  app = await startApp({ TRUST_PROXY: 'on' }, dataDir);
  people = [];
  for (const index of [1, 2]) people.push(await signUp(app, index, `${index}@example.com`));
}, 240_000);
afterAll(async () => {
  await app?.remove();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

/** Writes as a user until `isOver`: archives, questions, and pictures that replace each other. Adds what the server acknowledged. */
async function write({ userId, token }: Account, index: number, acknowledged: Set<string>, isOver: () => boolean): Promise<void> {
  const socket = await connect(app.url, token);
  for (let side = 10; !isOver(); side++) {
    const id = randomUUID();
    const { status } = await call(app, index, '/chat/archives/', { body: { userId, id }, token });
    if (status === 201) acknowledged.add(id);
    const question = questionOf(userId, { archive_id: id });
    if (!('error' in (await send(socket, question)))) acknowledged.add(question.client_id ?? '');
    const form = new FormData();
    form.set('user_id', userId);
    form.append('profile_picture', new File([new Uint8Array(blackPng(side, side))], 'me.png'));
    await fetch(`${app.url}/api/auth/user/${userId}/`, { method: 'PATCH', headers: { authorization: `Bearer ${token}` }, body: form });
  }
  socket.disconnect();
}

test('a backup during writes has all that was acknowledged before it, no half transaction, and every picture', async () => {
  expect(fs.existsSync(path.join(app.dataDir, 'backup'))).toBe(false);
  const acknowledged = new Set<string>();
  let isOver = false;
  const writers = people.map((person, index) => write(person, index + 1, acknowledged, () => isOver));
  await expect.poll(() => acknowledged.size).toBeGreaterThan(5);
  const before = [...acknowledged];
  const file = path.join(folder, 'backup');
  const [report] = await operatorRows(['backup', '--to', file], { DATA_DIR: app.dataDir });
  isOver = true;
  await Promise.all(writers);
  expect(acknowledged.size).toBeGreaterThan(before.length);
  expect(report).toMatchObject({ secrets: ['jwt-secret', 'secrets-key'] });
  expect(fs.existsSync(path.join(app.dataDir, 'backup'))).toBe(false);

  const to = path.join(folder, 'restored');
  await operatorRows(['restore', '--from', file], { DATA_DIR: to });
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir: to });
  expect((await verify(db, openBlobs({ dataDir: to }))).filter(({ faults }) => faults !== 0)).toEqual([]);
  const kept = [...(await db.select({ id: archives.id }).from(archives)), ...(await db.select({ id: chats.id }).from(chats))];
  await close();
  expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
});

test.runIf(isNightly)('a picture that its user deletes while the server copies is in the copy, as its row is', async () => {
  const { db, dataDir, close } = await openTestDb();
  try {
    const [ada] = await db
      .insert(users)
      .values({ email: 'ada@example.com', firstName: 'Ada', lastName: 'L', passwordHash: 'x' })
      .returning();
    const userId = ada?.id ?? '';
    const blobs = createUserBlobs({ db, store: openBlobs({ dataDir }), quota: 1000 });
    const picture = await blobs.store.put(Buffer.from('picture'));
    await db.insert(profilePictures).values({ userId, ...picture });
    const copy = fs.promises.cp;
    let deleted: Promise<unknown> | undefined;
    vi.spyOn(fs.promises, 'cp').mockImplementation(async (...args) => {
      await copy(...args);
      deleted = db.delete(profilePictures).then(() => blobs.removeUnnamed([picture.hash]));
      // Time in which the deletion would be done if nothing held it.
      await Promise.race([deleted, new Promise((resolve) => setTimeout(resolve, 500))]);
    });
    fs.mkdirSync(path.join(dataDir, 'backup'));
    await copyForBackup({ databaseUrl: undefined, dataDir }, db);
    expect(await deleted).toBe(1);
    expect(await blobs.store.has(picture)).toBe(false);
    const copied = path.join(dataDir, 'backup');
    expect(fs.readFileSync(path.join(copied, 'blobs', picture.hash), 'utf8')).toBe('picture');
    const { query, close: closeCopy } = await openEmbedded(copied);
    expect(await query('select user_id from profile_pictures')).toEqual([{ user_id: userId }]);
    await closeCopy();
  } finally {
    vi.restoreAllMocks();
    await close();
  }
});

test('verify finds no fault in a running server, and exits with 1 when it finds one', async () => {
  const env = { DATA_DIR: app.dataDir };
  expect((await operatorRows(['verify'], env)).filter(({ faults }) => faults !== 0)).toEqual([]);
  await app.stop();
  const [{ userId }] = people as [Account, Account];
  const [altered, lost] = [await openBlobs({ dataDir: app.dataDir }).put(Buffer.from('altered')), { hash: 'f'.repeat(64), size: 1 }];
  fs.writeFileSync(path.join(app.dataDir, 'blobs', altered.hash.slice(0, 2), altered.hash.slice(2, 4), altered.hash), 'ALTERED');
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir: app.dataDir });
  const image = { userId, type: 'image/webp', width: 1, height: 1, previewHash: lost.hash, previewSize: lost.size };
  await db.insert(chatImages).values({ ...image, id: randomUUID(), ...altered });
  await db.insert(chats).values({ userId, id: randomUUID(), archiveId: randomUUID(), position: 0, userMessage: 'Lost' });
  const [botId = ''] = await plantBots(db, 1);
  const book = { balance: 10_000_000, rules: { quantityStep: 0.001, priceStep: 0.1 } };
  await db.insert(paperAccounts).values({ botId, book, funded: 999.98, advancedTo: 0, fills: 1 });
  await db.insert(paperOrders).values({ botId, clientId: 'unknown', order: {} });
  await db.execute('alter table sessions disable trigger all');
  await db.execute('update sessions set user_id = gen_random_uuid()');
  await close();
  const { code, stdout } = await runOperator(['verify', '--json'], env);
  expect(code).toBe(1);
  const found = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').filter((check: { faults: number }) => check.faults !== 0);
  const blobs = [`${altered.hash}: altered`, `${lost.hash}: missing, or of another size`].sort();
  expect(found).toEqual([
    { check: 'sessions without their users', faults: 2, examples: [expect.any(String), expect.any(String)] },
    { check: 'messages without their chat', faults: 1, examples: [expect.any(String)] },
    { check: 'paper orders that the journal does not have', faults: 1, examples: ['unknown'] },
    { check: 'paper accounts whose fills are not numbered from 0 without a gap', faults: 1, examples: [botId] },
    { check: 'paper accounts whose balance is not deposits plus profits less fees', faults: 1, examples: [botId] },
    { check: 'pictures that are missing or altered', faults: 2, examples: blobs },
  ]);
});
