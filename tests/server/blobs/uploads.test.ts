import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { MAX_CHAT_IMAGE_BYTES } from '#contract/pictures.ts';

import { chatImages } from '#server/db/schema/chat.ts';
import { createUploads } from '#server/http/forms/uploads.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf, imageForm } from '#tests/support/chat/chatter.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';
import { untilClosed } from '#tests/support/server/until-closed.ts';

let server: TestServer;
let ada: Chatter;
/** A user of the server with the short window. */
let hasty: Chatter;
let others: SignedUp[];
const open: net.Socket[] = [];

beforeAll(async () => {
  // Behind a proxy, so that users can have different networks.
  server = await startServer({ planOf: async () => 'PREMIUM', env: { TRUST_PROXY: 'on' } });
  ada = await chatterOf(server);
  others = [];
  for (let count = 0; count < 11; count++) others.push(await server.signUp());
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await expect.poll(() => temporary()).toEqual([]);
});
afterAll(async () => {
  ada.socket.disconnect();
  await server.close();
});

const folder = () => path.join(server.dataDir, 'uploads');
const temporary = () => (fs.existsSync(folder()) ? fs.readdirSync(folder()) : []);

interface Unfinished {
  socket: net.Socket;
  /** Sends the rest of the body. */
  finish(): void;
  answer(): Promise<string>;
}

/** Starts an upload and pauses it after `sent` bytes of the file. */
async function begin({
  who = ada.who as Pick<SignedUp, 'authorization'>,
  network = '192.0.2.1',
  sent = 1000,
  content = Buffer.alloc(sent, 1),
  announced = 1_000_000,
  path: route = '/chat/images',
}): Promise<Unfinished> {
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  open.push(socket);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += String(chunk);
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    `POST /api${route} HTTP/1.1`,
    'Host: x',
    `X-Forwarded-For: ${network}`,
    `Authorization: ${who.authorization}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${announced}`,
  ];
  const part = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
  socket.write(`${head.join('\r\n')}\r\n\r\n${part}`);
  socket.write(content);
  return {
    socket,
    finish: () => void socket.write(Buffer.alloc(announced - part.length - content.length)),
    async answer() {
      await expect.poll(() => heard).toContain('\r\n\r\n');
      return heard;
    },
  };
}

/** Sends a complete upload that the server refuses. It answers once the body has arrived, or after 5 seconds. */
async function refused(options: Parameters<typeof begin>[0]): Promise<string> {
  const { finish, answer } = await begin(options);
  finish();
  return answer();
}

const arrived = (count: number) => expect.poll(() => temporary().length).toBe(count);
const small = (who: Chatter = ada) => who.call('/chat/images', { method: 'POST', body: imageForm(randomUUID(), blackPng(4, 4)) });

describe('uploads in flight', () => {
  test('are two for each user; a third one is refused before its body, with the time of another try', async () => {
    await begin({});
    await begin({});
    await arrived(2);
    const third = await refused({});
    expect(third).toMatch(/^HTTP\/1.1 429 /);
    expect(third.toLowerCase()).toContain('retry-after: 5');
    expect(third).toContain('"code":"too_many_uploads"');
    expect(temporary()).toHaveLength(2);
    // Reads take no upload slot, whatever their content type is.
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await ada.call(`/chat/images/${randomUUID()}`, { headers })).status).toBe(404);
    for (const socket of open.splice(0)) socket.destroy();
    await arrived(0);
    expect((await small()).status).toBe(201);
  });

  test('are ten for each network and twenty in all', async () => {
    for (const [index, who] of others.slice(0, 5).entries())
      for (const _ of [1, 2]) await begin({ who, network: `192.0.2.${index < 5 ? 1 : 2}` });
    await arrived(10);
    const near = await refused({ who: others[5] as SignedUp });
    expect(near).toMatch(/^HTTP\/1.1 503 [\s\S]*"code":"busy"/);
    for (const [index, who] of others.slice(5, 10).entries()) for (const _ of [1, 2]) await begin({ who, network: `198.51.100.${index}` });
    await arrived(20);
    const far = await refused({ who: others[10] as SignedUp, network: '203.0.113.9' });
    expect(far).toMatch(/^HTTP\/1.1 503 [\s\S]*"code":"busy"/);
    expect(far.toLowerCase()).toContain('retry-after: 5');
  });

  test('are on disk while they are unfinished, not in memory', async () => {
    const buffers = () => process.memoryUsage().arrayBuffers;
    const sent = 7_900_000;
    const content = Buffer.alloc(sent, 1);
    const before = buffers();
    for (const [index, who] of others.slice(0, 10).entries()) {
      for (const _ of [1, 2]) await begin({ who, network: `198.51.100.${index}`, content, announced: 8_000_000 });
    }
    const onDisk = () =>
      temporary()
        .flatMap((name) => fs.readdirSync(path.join(folder(), name)).map((file) => fs.statSync(path.join(folder(), name, file)).size))
        .reduce((sum, size) => sum + size, 0);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, buffers());
    }, 20);
    await expect.poll(onDisk, { timeout: 60_000 }).toBeGreaterThan(20 * (sent - 200_000));
    clearInterval(watch);
    // In memory the uploads would take 158 MB.
    expect(most - before).toBeLessThan(80_000_000);
  });

  test('end with their connection, whatever was sent by then', async () => {
    for (const sent of [10, 5000, 100_000]) {
      const { socket } = await begin({ sent });
      await arrived(1);
      socket.destroy();
      await arrived(0);
    }
    (await begin({ sent: 0 })).socket.destroy();
    for (let count = 0; count < 3; count++) expect((await small()).status).toBe(201);
  });

  test('take no place if their connection has ended before their user is known', async () => {
    const { user, password } = await server.signUp();
    const login = await server.post('/auth/login/', { email: user.email, password });
    // The server has not seen this token, so it asks the database for its session.
    const who = { authorization: `Bearer ${tokensAnswer.parse(await login.json()).data.accessToken}` };
    const ends: Promise<unknown>[] = [];
    const note = (socket: net.Socket) => void ends.push(once(socket, 'close'));
    server.app.server.on('connection', note);
    // The database has one connection here.
    const gate = createGate();
    const holding = server.db.transaction(() => gate.passed);
    for (const { socket } of [await begin({ who }), await begin({ who })]) socket.destroy();
    await expect.poll(() => ends).toHaveLength(2);
    await Promise.all(ends);
    server.app.server.off('connection', note);
    gate.open();
    await holding;
    const headers = who;
    const body = () => imageForm(randomUUID(), blackPng(4, 4));
    const upload = async () => (await fetch(`${server.url}/api/chat/images`, { method: 'POST', headers, body: body() })).status;
    await expect.poll(upload).toBe(201);
  });
});

describe('with a short window, uploads', () => {
  let patient: TestServer;
  beforeAll(async () => {
    patient = server;
    server = await startServer({ planOf: async () => 'PREMIUM', uploads: { window: 5_000 } });
    hasty = await chatterOf(server);
  });
  afterAll(async () => {
    hasty.socket.disconnect();
    await server.close();
    server = patient;
  });

  test('that stall or trickle are cut off, and their place is free', async () => {
    const stalled = await begin({ who: hasty.who });
    const trickling = await begin({ who: hasty.who });
    const trickle = setInterval(() => trickling.socket.write('x'), 100);
    await arrived(2);
    await Promise.all([untilClosed(stalled.socket), untilClosed(trickling.socket)]);
    clearInterval(trickle);
    await arrived(0);
    expect((await small(hasty)).status).toBe(201);
  });

  test('that are slow but honest arrive', async () => {
    const id = randomUUID();
    const form = new Response(imageForm(id, Buffer.concat([blackPng(4, 4), Buffer.alloc(200_000)])));
    const body = Buffer.from(await form.arrayBuffer());
    const slowly = new ReadableStream({
      async pull(controller) {
        for (let from = 0; from < body.length; from += 20_000) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          controller.enqueue(body.subarray(from, from + 20_000));
        }
        controller.close();
      },
    });
    const headers = { authorization: hasty.who.authorization, 'content-type': form.headers.get('content-type') ?? '' };
    const init = { method: 'POST', headers, body: slowly, duplex: 'half' } as RequestInit;
    expect((await fetch(`${server.url}/api/chat/images`, init)).status).toBe(201);
  });
});

test('a message with five large pictures does not delay other users', async () => {
  const picture = Buffer.concat([blackPng(4, 4), Buffer.alloc(7_900_000, 7)]);
  const form = new FormData();
  const fields = { user_id: ada.who.user.id, kind: 'contact', name: 'Ada', email: ada.who.user.email, message: 'Large' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (let count = 0; count < 5; count++) form.append('files', new Blob([picture, String(count)], { type: 'image/png' }), 'a.png');
  const [other] = others as [SignedUp];
  let slowest = 0;
  let isSending = true;
  const reading = (async () => {
    while (isSending) {
      const begun = performance.now();
      await fetch(`${server.url}/api/auth/user/${other.user.id}/`, { headers: { authorization: other.authorization } });
      slowest = Math.max(slowest, performance.now() - begun);
      await pause(20);
    }
  })();
  const began = performance.now();
  const response = await ada.call('/contact-us/send-message', { method: 'POST', body: form });
  const took = performance.now() - began;
  isSending = false;
  await reading;
  expect(response.status).toBe(200);
  // A request that waits for all five pictures takes much longer, also on a machine where one takes seconds.
  expect(slowest).toBeLessThan(Math.max(5_000, took / 2));
});

describe('a body that is refused', () => {
  test('for its announced length, or for want of a token, is not waited for, and its connection ends', async () => {
    const [long, foreign] = await Promise.all([
      begin({ announced: MAX_CHAT_IMAGE_BYTES + 1_000_000 }),
      begin({ who: { ...ada.who, authorization: 'Bearer x' } }),
    ]);
    const answers = await Promise.all([long.answer(), foreign.answer()]);
    expect(answers[0]).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"too_large"/);
    expect(answers[1]).toMatch(/^HTTP\/1.1 401 /);
    await Promise.all([long, foreign].map(({ socket }) => untilClosed(socket)));
    expect(temporary()).toEqual([]);
  });

  test('for its rate is counted before it is read', async () => {
    const eve = await chatterOf(server);
    for (let count = 0; count < 60; count++) await eve.call('/chat/images', { method: 'POST', body: new FormData() });
    expect(await refused({ who: eve.who, network: '198.51.100.77' })).toMatch(/^HTTP\/1.1 429 /);
    expect(temporary()).toEqual([]);
    eve.socket.disconnect();
  });

  test('reaches its sender when it is large', async () => {
    const stored = await server.db.$count(chatImages);
    const form = imageForm(randomUUID(), Buffer.alloc(MAX_CHAT_IMAGE_BYTES + 1));
    expect((await ada.call('/chat/images', { method: 'POST', body: form })).status).toBe(413);
    expect(await server.db.$count(chatImages)).toBe(stored);
  });
});

test('that the disk does not take are no fault of the form, so devices send them again', async () => {
  fs.rmSync(folder(), { recursive: true });
  fs.writeFileSync(folder(), '');
  const refused = await small();
  fs.rmSync(folder());
  expect([refused.status, await refused.json()]).toEqual([500, expect.objectContaining({ code: 'internal' })]);
  expect((await small()).status).toBe(201);
});

test('files of a crashed process are deleted at the next start', async () => {
  const directory = path.join(server.dataDir, 'left');
  const left = path.join(directory, randomUUID());
  fs.mkdirSync(left, { recursive: true });
  fs.writeFileSync(path.join(left, '1'), 'half');
  fs.utimesSync(left, new Date(), new Date(Date.now() - 1000));
  await createUploads({ directory, alone: false }).sweep();
  expect(fs.existsSync(left)).toBe(true);
  await createUploads({ directory, alone: true }).sweep();
  expect(fs.readdirSync(directory)).toEqual([]);

  const running = createUploads({ directory, alone: true });
  fs.mkdirSync(left);
  fs.utimesSync(left, new Date(), new Date(Date.now() + 1000));
  await running.sweep();
  expect(fs.existsSync(left)).toBe(true);
});
