import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chatImages } from '#server/db/schema/chat.ts';
import { onMeasured } from '#server/metrics/measurements.ts';
import { openS3Blobs } from '#server/ports/blobs/s3-blobs.ts';
import { type LoopbackS3, startLoopbackS3 } from '#tests/support/blobs/loopback-s3.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf, imageForm } from '#tests/support/chat/chatter.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let s3: LoopbackS3;
let server: TestServer;
let ada: Chatter;

beforeAll(async () => {
  s3 = await startLoopbackS3();
  server = await startServer({ planOf: async () => 'PREMIUM', blobStore: openS3Blobs(s3.access, 10_000) });
  ada = await chatterOf(server);
});
afterEach(() => s3.always(undefined));
afterAll(async () => {
  ada.socket.disconnect();
  await server.close();
  await s3.close();
});

test('pictures are kept in the bucket and served from the own origin, and a deleted chat removes them', async () => {
  const id = await ada.upload(blackPng(40, 40));
  expect(s3.objects.size).toBe(2);
  const response = await ada.call(`/chat/images/${id}`);
  expect([response.status, response.redirected]).toEqual([200, false]);
  const body = await response.arrayBuffer();
  expect([...s3.objects.values()].some((content) => content.equals(Buffer.from(body)))).toBe(true);
  const { question } = await ada.ask({ chat_image: id });
  expect((await ada.call(`/archive/${question.archive_id}`, { method: 'DELETE' })).status).toBe(200);
  await server.settled();
  expect(s3.objects.size).toBe(0);
});

test('while the bucket is away, pictures answer 503, and an upload can be repeated', async () => {
  const id = await ada.upload(blackPng(41, 41));
  const rows = await server.db.$count(chatImages);
  const outcomes: string[] = [];
  onTestFinished(onMeasured('providerCall', ({ provider, outcome }) => outcomes.push(`${provider} ${outcome}`)));
  s3.always('AccessDenied');
  const again = randomUUID();
  const send = () => ada.call('/chat/images', { method: 'POST', body: imageForm(again, blackPng(42, 42)) });
  for (const response of [await ada.call(`/chat/images/${id}`), await send()]) {
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      503,
      '5',
      { status: 503, code: 'pictures_away', message: 'We cannot reach the stored pictures right now. Please try again in a moment.' },
    ]);
  }
  expect(outcomes).toContain('bucket error');
  expect(outcomes).not.toContain('bucket ok');
  expect(await server.db.$count(chatImages)).toBe(rows);
  s3.always(undefined);
  expect((await ada.call(`/chat/images/${id}`)).status).toBe(200);
  expect((await send()).status).toBe(201);
});

test('a question waits for the picture until the bucket is back', async () => {
  const id = await ada.upload(blackPng(44, 44));
  s3.calls.length = 0;
  s3.always('AccessDenied');
  const asked = ada.ask({ chat_image: id });
  // It tried, was refused, and tries again.
  await expect.poll(() => s3.calls.length).toBeGreaterThan(2);
  s3.always(undefined);
  const { response } = await asked;
  expect([response.error, response.chat?.failed]).toEqual([undefined, false]);
  expect(response.ai_response).not.toContain('could not answer');
});

test('a connection that ends in the middle of a picture ends the response too', async () => {
  const id = await ada.upload(blackPng(43, 43));
  s3.fail('cut');
  await expect(ada.call(`/chat/images/${id}`).then((response) => response.arrayBuffer())).rejects.toThrow();
  expect((await ada.call(`/chat/images/${id}`)).status).toBe(200);
});
