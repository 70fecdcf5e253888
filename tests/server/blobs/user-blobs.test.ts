import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, inArray } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { userAnswer } from '#contract/account/user.ts';
import { HOUR } from '#domain/clock.ts';
import { collectOrphans } from '#server/blobs/collect-orphans.ts';
import { userBlobs } from '#server/db/schema/blobs.ts';
import { chatImages } from '#server/db/schema/chat.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf, imageForm } from '#tests/support/chat/chatter.ts';
import { bundleProgram } from '#tests/support/processes/bundle.mjs';
import { blobsOf } from '#tests/support/server/blobs.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
let ada: Chatter;
let bob: Chatter;

beforeAll(async () => {
  server = await startServer({ planOf: async () => 'PREMIUM', env: { USER_QUOTA_MB: '1' } });
  [ada, bob] = [await chatterOf(server), await chatterOf(server)];
});
afterAll(async () => {
  for (const { socket } of [ada, bob]) socket.disconnect();
  await server.close();
});

const pathOf = (hash: string) => path.join(server.dataDir, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);
const namedBy = async ({ who }: Chatter) =>
  (await server.db.select().from(userBlobs).where(eq(userBlobs.userId, who.user.id))).flatMap(({ hash }) => hash ?? []);
async function onDisk(): Promise<string[]> {
  const found: string[] = [];
  for await (const { hash } of openBlobs(server).list()) found.push(hash);
  return found.sort();
}
/** Random pixels, which do not compress. */
const noise = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png()
    .toBuffer();
const deleteChat = (who: Chatter, archiveId: string) => who.call(`/archive/${archiveId}`, { method: 'DELETE' });

test('two users with the same picture share its blob, and neither loses it with the other', async () => {
  const drawing = blackPng(70, 50);
  const [adas, bobs] = [await ada.upload(drawing), await bob.upload(drawing)];
  const [adasChat, bobsChat] = [await ada.ask({ chat_image: adas }), await bob.ask({ chat_image: bobs })];
  const shared = await namedBy(ada);
  expect(shared).toEqual(await namedBy(bob));
  expect(shared).toHaveLength(2);

  expect((await deleteChat(ada, adasChat.question.archive_id)).status).toBe(200);
  await server.settled();
  expect((await bob.call(`/chat/images/${bobs}`)).status).toBe(200);
  expect((await bob.call(`/chat/images/${adas}`)).status).toBe(404);

  expect((await deleteChat(bob, bobsChat.question.archive_id)).status).toBe(200);
  await server.settled();
  expect(shared.filter((hash) => fs.existsSync(pathOf(hash)))).toEqual([]);
});

test('a picture whose blob is missing answers 404, and the server keeps running', async () => {
  const id = await ada.upload(blackPng(31, 31));
  const [row] = await server.db.select().from(chatImages).where(eq(chatImages.id, id));
  fs.rmSync(pathOf(row?.hash ?? ''));
  const response = await ada.call(`/chat/images/${id}`);
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
  expect((await ada.call(`/chat/images/${id}/preview`)).status).toBe(200);
  // Storing the same picture again restores it.
  await ada.upload(blackPng(31, 31), id);
  expect((await ada.call(`/chat/images/${id}`)).status).toBe(200);
});

test('ten concurrent uploads stay within the quota, and refused ones leave no file', async () => {
  const eve = await chatterOf(server);
  const pictures = await Promise.all(Array.from({ length: 10 }, () => noise(280)));
  const send = (picture: Buffer) => eve.call('/chat/images', { method: 'POST', body: imageForm(randomUUID(), picture) });
  const first = await Promise.all(pictures.map(async (picture) => ({ picture, response: await send(picture) })));
  const responses = first.map(({ response }) => response).filter(({ status }) => status !== 429);
  // Two uploads are in flight, so the others are sent again, two at once: fewer tries than the rate limit allows, however slow they are.
  const again = first.filter(({ response }) => response.status === 429);
  const sendAgain = async (lane: number) => {
    for (const { picture } of again.filter((_, place) => place % 2 === lane)) {
      let response = await send(picture);
      for (; response.status === 429; response = await send(picture)) await pause(500);
      responses.push(response);
    }
  };
  await Promise.all([sendAgain(0), sendAgain(1)]);
  const answers = await Promise.all(
    responses.map(async (response) => ({
      status: response.status,
      ...((await response.json()) as { code?: string; message?: string }),
    })),
  );
  const stored = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect(stored.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  expect(stored.length + refused.length).toBe(10);
  for (const refusal of refused) expect(refusal).toMatchObject({ code: 'quota', message: expect.stringContaining('1 MB') });
  const { used } = await blobsOf(server).usage(server.db, eve.who.user.id);
  expect(used).toBeLessThanOrEqual(1_000_000);
  const profile = userAnswer.parse(await (await eve.call(`/auth/user/${eve.who.user.id}/`)).json());
  expect(profile.data.pictures).toEqual({ used, quota: 1_000_000 });
  const theirs = await namedBy(eve);
  expect(theirs).toHaveLength(2 * stored.length);
  const everybodys = new Set((await server.db.select().from(userBlobs)).map(({ hash }) => hash));
  expect((await onDisk()).filter((hash) => !everybodys.has(hash))).toEqual([]);
  eve.socket.disconnect();
});

test('a blob whose process was killed before its row is collected an hour later, and nothing else', async () => {
  await ada.upload(blackPng(33, 33));
  const before = await onDisk();
  const program = await bundleProgram('tests/faults/blob-crash.ts');
  const killed = spawnSync(process.execPath, [program, path.join(server.dataDir, 'blobs'), 'left behind'], { stdio: 'inherit' });
  expect(killed.signal).toBe('SIGKILL');
  expect(await onDisk()).toHaveLength(before.length + 1);

  await collectOrphans(server.db, blobsOf(server), Date.now());
  expect(await onDisk()).toHaveLength(before.length + 1);
  await collectOrphans(server.db, blobsOf(server), Date.now() + 2 * HOUR);
  const named = await server.db.select().from(userBlobs).where(inArray(userBlobs.hash, before));
  expect(await onDisk()).toEqual([...new Set(named.map(({ hash }) => hash))].sort());
  expect(fs.readdirSync(path.join(server.dataDir, 'blobs', 'tmp'))).toEqual([]);
});

test('content that is removed between its upload and its row is refused for another try, and not lost', async () => {
  const blobs = blobsOf(server);
  const row = { userId: ada.who.user.id, id: randomUUID(), type: 'image/png', width: 1, height: 1 };
  const keep = (between: (hash: string) => Promise<unknown>) =>
    blobs.keep([Buffer.from('raced')], async ([blob]) => {
      await between(blob?.hash ?? '');
      await server.db.transaction(async (tx) => {
        await blobs.claim(tx, row.userId, blob ? [blob] : []);
        await tx.insert(chatImages).values({ ...row, ...blob });
      });
    });
  await expect(keep((hash) => blobs.removeUnnamed([hash]))).rejects.toMatchObject({ status: 503 });
  expect(await server.db.$count(chatImages, eq(chatImages.id, row.id))).toBe(0);
  await keep(async () => undefined);
  expect(await blobs.removeUnnamed(await namedBy(ada))).toBe(0);
});

test('blobs are left alone while no row names any: the store may belong to another database', async () => {
  const other = await startServer();
  await blobsOf(other).store.put(Buffer.from('of another database'));
  expect(await collectOrphans(other.db, blobsOf(other), Date.now() + 2 * HOUR)).toBe(0);
  expect(fs.readdirSync(path.join(other.dataDir, 'blobs')).length).toBeGreaterThan(1);
  await other.close();
});
