import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteShare, putShare, readShare } from '#client/platform/shared/inbox.ts';
import { MAX_SHARED_BYTES, MAX_SHARED_TEXT, SHARE_LIFE_MS } from '#contract/share.ts';
import { ORIGIN, type RunningWorker, runWorker } from './run-worker.ts';

let worker: RunningWorker;

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('fetch', async () => new Response('network'));
  worker = await runWorker([]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const picture = (bytes: number, name = 'chart.png') => new File([new Uint8Array(bytes)], name, { type: 'image/png' });

function form(...entries: [string, string | File][]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

/** Shares a form. Returns where the worker sends the page. */
async function share(body: FormData | Promise<FormData>): Promise<string | null> {
  const answer = await worker.ask('/share', { mode: 'navigate', method: 'POST', formData: async () => body });
  expect(answer?.status).toBe(303);
  return answer?.headers.get('location') ?? null;
}

it('stores the picture and the texts, and opens a new chat', async () => {
  const shared = form(['title', 'BTCUSDT'], ['text', 'BTCUSDT'], ['url', 'https://example.com'], ['picture', picture(9)]);
  expect(await share(shared)).toBe(`${ORIGIN}/chat`);
  expect(await readShare(Date.now())).toMatchObject({ text: 'BTCUSDT\nhttps://example.com', picture: new ArrayBuffer(9) });
});

it('takes the first of many pictures, bounds a text, and replaces an earlier share', async () => {
  await share(form(['text', 'old']));
  const many = Array.from({ length: 20 }, (_each, at): [string, File] => ['picture', picture(at + 1)]);
  expect(await share(form(['text', 'a'.repeat(100_000)], ...many))).toBe(`${ORIGIN}/chat?share=several`);
  const stored = await readShare(Date.now());
  expect(stored?.picture?.byteLength).toBe(1);
  expect(stored?.text).toBe('a'.repeat(MAX_SHARED_TEXT));
});

it.each<[string, () => FormData | Promise<FormData>, string]>([
  ['nothing', () => form(), 'broken'],
  ['an empty file', () => form(['picture', picture(0)]), 'broken'],
  ['a text in place of a file', () => form(['picture', 'text']), 'broken'],
  ['other fields', () => form(['other', 'text']), 'broken'],
  ['a body that is no form', () => Promise.reject(new TypeError('no form')), 'broken'],
  ['a picture above the limit', () => form(['picture', picture(MAX_SHARED_BYTES + 1)]), 'size'],
])('says what is wrong with %s, and stores nothing', async (_what, body, problem) => {
  expect(await share(body())).toBe(`${ORIGIN}/chat?share=${problem}`);
  expect(await readShare(Date.now())).toBeUndefined();
});

it('says that the device is out of space', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(await share(form(['text', 'hello']))).toBe(`${ORIGIN}/chat?share=storage`);
});

it('says so after ten seconds if the storage does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const opened = vi.fn(() => ({}));
  vi.stubGlobal('indexedDB', { open: opened });
  const sharing = share(form(['text', 'hello']));
  await vi.waitFor(() => expect(opened).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await sharing).toBe(`${ORIGIN}/chat?share=storage`);
});

it('leaves other posts to the network', async () => {
  for (const path of ['/api/share', '/share/more', '/'])
    expect(await worker.ask(path, { method: 'POST', mode: 'navigate' })).toBeUndefined();
});

it('deletes a share after ten minutes, or when a clock was set back', async () => {
  const receivedAt = Date.now();
  for (const [later, isKept] of [
    [SHARE_LIFE_MS - 1, true],
    [SHARE_LIFE_MS, false],
    [-SHARE_LIFE_MS, false],
  ] as const) {
    await putShare({ id: 'a', receivedAt, text: 'hello' });
    expect((await readShare(receivedAt + later)) !== undefined).toBe(isKept);
    expect((await readShare(receivedAt)) !== undefined).toBe(isKept);
  }
});

it('creates no database to look for a share', async () => {
  expect(await readShare(Date.now())).toBeUndefined();
  await deleteShare();
  expect(await indexedDB.databases()).toEqual([]);
});
