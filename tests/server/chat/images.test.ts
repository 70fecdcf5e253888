import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { archivesAnswer } from '#contract/chat/archive.ts';
import { chatImageAnswer } from '#contract/chat/chat.ts';
import { MAX_CHAT_IMAGE_BYTES } from '#contract/pictures.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { chatImages } from '#server/db/schema/chat.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { animatedGif, blackPng, photoWithExif } from '#tests/support/charts/pictures.ts';
import { type Chatter, chatterOf, imageForm } from '#tests/support/chat/chatter.ts';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const analyst = scriptedAnalyst();
let server: TestServer;
let ada: Chatter;
let bob: Chatter;

beforeAll(async () => {
  server = await startServer({ analyst, planOf: async () => 'PREMIUM' });
  [ada, bob] = [await chatterOf(server), await chatterOf(server)];
});
afterEach(() => analyst.reset());
afterAll(async () => {
  for (const { socket } of [ada, bob]) socket.disconnect();
  await server.close();
});

const store = (file: Buffer, id: string = randomUUID(), who = ada) =>
  who.call('/chat/images', { method: 'POST', body: imageForm(id, file) });
const code = async (response: Response) => ((await response.json()) as { code: string }).code;
const bytesOf = async (path: string, who = ada) => Buffer.from(await (await who.call(path)).arrayBuffer());

describe('storing an image', () => {
  test('keeps a drawing pixel by pixel, and a small WebP of it', async () => {
    const drawing = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const id = randomUUID();
    const response = await store(drawing, id);
    expect(response.status).toBe(201);
    expect(chatImageAnswer.parse(await response.json()).data).toEqual({ id, width: 900, height: 300 });

    const whole = await ada.call(`/chat/images/${id}`);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(whole.headers.get('cache-control')).toBe('private, no-cache');
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    const pixels = (file: Buffer) => sharp(file).removeAlpha().raw().toBuffer();
    expect((await pixels(Buffer.from(await whole.arrayBuffer()))).equals(await pixels(drawing))).toBe(true);

    const preview = await ada.call(`/chat/images/${id}/preview`);
    expect(preview.headers.get('content-type')).toBe('image/webp');
    expect(await sharp(await preview.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width: 480, height: 160 });

    const etag = whole.headers.get('etag') ?? '';
    expect((await ada.call(`/chat/images/${id}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('rotates a photo upright, shrinks it and removes its metadata', async () => {
    const photo = await photoWithExif(2400, 1600);
    const id = await ada.upload(photo);
    const stored = await bytesOf(`/chat/images/${id}`);
    const { format, width, height, exif, orientation } = await sharp(stored).metadata();
    expect({ format, width, height, exif, orientation }).toEqual({
      format: 'jpeg',
      width: 1333,
      height: 2000,
      exif: undefined,
      orientation: undefined,
    });
    for (const file of [stored, await bytesOf(`/chat/images/${id}/preview`)]) expect(file.includes('Ada at home')).toBe(false);
  });

  test('uses the first frame of a GIF', async () => {
    const id = await ada.upload(animatedGif());
    expect(await sharp(await bytesOf(`/chat/images/${id}`)).metadata()).toMatchObject({ format: 'png', width: 1, height: 1 });
  });

  test('the same again under the same id is the same image, another one is refused', async () => {
    const id = randomUUID();
    for (let sent = 0; sent < 2; sent++) expect((await store(blackPng(30, 20), id)).status).toBe(201);
    const other = await store(blackPng(20, 30), id);
    expect([other.status, await code(other)]).toEqual([409, 'image_id_taken']);
    expect((await store(blackPng(20, 30), id, bob)).status).toBe(201);
    expect(await sharp(await bytesOf(`/chat/images/${id}`)).metadata()).toMatchObject({ width: 30, height: 20 });
  });

  test.each([
    ['text', async () => Buffer.from('not a picture'), 400, 'image_type'],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>'), 400, 'image_type'],
    ['a WebP', async () => sharp(blackPng(9, 9)).webp().toBuffer(), 400, 'image_type'],
    ['nothing', async () => Buffer.alloc(0), 400, 'image_type'],
    ['a PNG cut short', async () => (await photoPng()).subarray(0, 2000), 400, 'image_broken'],
    ['a JPEG cut short', async () => (await photoWithExif(400, 300)).subarray(0, 1500), 400, 'image_broken'],
    ['a header alone', async () => blackPng(9, 9).subarray(0, 8), 400, 'image_broken'],
    ['too many pixels', async () => blackPng(10_000, 1_601), 400, 'image_pixels'],
    ['too many bytes', async () => Buffer.alloc(MAX_CHAT_IMAGE_BYTES + 1), 413, 'too_large'],
  ])('refuses %s', async (_, file, status, refusal) => {
    const id = randomUUID();
    const response = await store(await file(), id);
    expect([response.status, await code(response)]).toEqual([status, refusal]);
    expect((await ada.call(`/chat/images/${id}`)).status).toBe(404);
  });

  test('refuses an id that is none and a form without a file', async () => {
    expect(await code(await store(blackPng(5, 5), 'x'))).toBe('validation');
    const empty = new FormData();
    empty.append('id', randomUUID());
    expect(await code(await ada.call('/chat/images', { method: 'POST', body: empty }))).toBe('validation');
    empty.append('image', 'text');
    expect(await code(await ada.call('/chat/images', { method: 'POST', body: empty }))).toBe('validation');
  });

  test("other users' images are not found", async () => {
    const id = await ada.upload(blackPng(8, 8));
    for (const path of [`/chat/images/${id}`, `/chat/images/${id}/preview`, '/chat/images/x', `/chat/images/${randomUUID()}`]) {
      expect((await bob.call(path)).status).toBe(404);
    }
    expect((await fetch(`${server.url}/api/chat/images/${id}`)).status).toBe(401);
  });
});

describe('a question with a picture', () => {
  test('titles its conversation with its own words, because it may show any coin', async () => {
    vi.spyOn(analyst, 'title').mockReturnValueOnce('Bitcoin support and resistance');
    const { question } = await ada.ask({ chat_image: await ada.upload(blackPng(41, 20)), message: 'Where are the levels?' });
    const titleOf = async () => {
      const { data } = archivesAnswer.parse(await (await ada.call(`/user/${ada.who.user.id}/archives`)).json());
      return data.find(({ id }) => id === question.archive_id)?.archive_title;
    };
    await expect.poll(titleOf).toBe('Where are the levels?');
  });

  test('shows its paths and gives it to the analyst; what was read comes back with the answer', async () => {
    const marks = {
      kind: 'candles' as const,
      confidence: 0.9,
      width: 40,
      height: 20,
      plot: { x: 1, y: 1, width: 38, height: 18 },
      trend: 'up' as const,
      levels: [{ kind: 'support' as const, y: 12, touches: 3 }],
      warnings: [],
    };
    analyst.respond = async () => ({ text: 'An upward trend.', marks, coins: [1, 1027, 1] });
    const id = await ada.upload(blackPng(40, 20));
    const { question, response } = await ada.ask({ chat_image: id, message: 'Read this' });
    expect(response.chat).toMatchObject({
      chat_image: `/chat/images/${id}`,
      preview_image: `/chat/images/${id}/preview`,
      marks,
      coins: [1, 1027],
      failed: false,
      stopped: false,
      rating: null,
    });
    expect(await ada.chats(question.archive_id)).toEqual([response.chat]);
    expect(analyst.asked[0]?.picture?.type).toBe('image/png');
    expect(analyst.asked[0]?.picture?.bytes.equals(await bytesOf(`/chat/images/${id}`))).toBe(true);
  });

  test('that is not stored is refused until it is', async () => {
    const id = randomUUID();
    const theirs = await bob.upload(blackPng(11, 11));
    for (const chat_image of [id, theirs]) {
      expect(await ada.send({ chat_image })).toMatchObject({ error: { status: 409, code: 'image_missing' } });
    }
    const question = { client_id: randomUUID(), archive_id: randomUUID(), chat_image: id };
    expect(await ada.send(question)).toHaveProperty('error');
    await ada.upload(blackPng(12, 12), id);
    expect((await ada.ask(question)).response).toHaveProperty('ai_response');
  });

  test('an edit carries the picture it wants', async () => {
    const [first, second] = [await ada.upload(blackPng(13, 13)), await ada.upload(blackPng(14, 14))];
    const { question } = await ada.ask({ chat_image: first });
    const base = { archive_id: question.archive_id, chat_id: question.client_id };
    const pictures = async () => (await ada.chats(question.archive_id)).map(({ chat_image }) => chat_image);
    await ada.ask({ ...base, chat_image: second });
    expect(await pictures()).toEqual([`/chat/images/${second}`]);
    await ada.ask({ ...base, chat_image: null });
    expect(await pictures()).toEqual([null]);
    expect(analyst.asked.map(({ picture }) => picture !== undefined)).toEqual([true, true, false]);
  });
});

describe('deleted images', () => {
  const kept = async () => {
    const rows = await server.db.select({ id: chatImages.id }).from(chatImages).where(eq(chatImages.userId, ada.who.user.id));
    return rows.map(({ id }) => id);
  };

  test('an image that no question uses, after seven days', async () => {
    const unused = await ada.upload(blackPng(15, 15));
    const used = await ada.upload(blackPng(16, 16));
    await ada.ask({ chat_image: used });
    await tidy(server.db, Date.now() + 6 * DAY);
    expect(await kept()).toEqual(expect.arrayContaining([used, unused]));
    await tidy(server.db, Date.now() + 8 * DAY);
    expect(await kept()).toContain(used);
    expect(await kept()).not.toContain(unused);
  });

  test('but none that was just sent again, as for an import, however old it is', async () => {
    const [id, picture] = [randomUUID(), blackPng(19, 19)];
    const send = async () => expect((await store(picture, id)).status).toBe(201);
    const age = () =>
      server.db
        .update(chatImages)
        .set({ createdAt: new Date(Date.now() - 8 * DAY) })
        .where(eq(chatImages.id, id));
    await send();
    await age();
    await send();
    await tidy(server.db, Date.now());
    expect(await kept()).toContain(id);
    await age();
    await send();
    // Another upload deletes the oldest of more than fifty.
    const row = { userId: ada.who.user.id, type: 'image/png', bytes: Buffer.from('x'), preview: Buffer.from('x'), width: 1, height: 1 };
    const hourAgo = new Date(Date.now() - HOUR);
    await server.db.insert(chatImages).values(Array.from({ length: 50 }, () => ({ ...row, id: randomUUID(), createdAt: hourAgo })));
    await ada.upload(blackPng(3, 3));
    expect(await kept()).toContain(id);
  });

  test('the oldest unused ones of a user who stores many', async () => {
    const first = await ada.upload(blackPng(1, 1));
    const row = { userId: ada.who.user.id, type: 'image/png', bytes: Buffer.from('x'), preview: Buffer.from('x'), width: 1, height: 1 };
    await server.db.insert(chatImages).values(Array.from({ length: 50 }, () => ({ ...row, id: randomUUID(), createdAt: new Date() })));
    expect(await kept()).toContain(first);
    const last = await ada.upload(blackPng(2, 2));
    expect(await kept()).not.toContain(first);
    expect(await kept()).toContain(last);
  });

  test('with its conversation, unless another one shows it', async () => {
    const [alone, shared] = [await ada.upload(blackPng(17, 17)), await ada.upload(blackPng(18, 18))];
    const { question } = await ada.ask({ chat_image: alone });
    await ada.ask({ chat_image: shared, archive_id: question.archive_id });
    await ada.ask({ chat_image: shared });
    expect((await ada.call(`/archive/${question.archive_id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await kept()).not.toContain(alone);
    expect(await kept()).toContain(shared);
  });
});

/** A picture of noise, so that no two parts are equal. */
const photoPng = () =>
  sharp({ create: { width: 200, height: 200, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png()
    .toBuffer();
