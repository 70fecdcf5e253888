import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { remoteCoinImage } from '#contract/market/coin-images.ts';
import { type RunningWorker, runWorker } from './run-worker.ts';

const LIMIT = 300;
const image = (name: string) => new Response(name, { headers: { 'Content-Type': 'image/svg+xml' } });

let worker: RunningWorker;
let answer: (url: string) => Response;
let requests: number;

const kept = () => [...(worker.caches.stored.get('coin-images')?.entries.keys() ?? [])];
const textOf = async (path: string) => (await worker.ask(path))?.text();

beforeEach(async () => {
  requests = 0;
  answer = image;
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    requests += 1;
    return answer(url);
  });
  worker = await runWorker([]);
});

afterEach(() => vi.unstubAllGlobals());

it('caches a coin image that it has passed on', async () => {
  for (const url of [remoteCoinImage(7), '/coins/1.webp']) {
    const first = await textOf(url);
    await vi.waitFor(async () => expect(kept()).toContain(new URL(url, 'https://tidemark.test').href));
    expect(await textOf(url)).toBe(first);
  }
  expect(requests).toBe(2);
});

it('leaves images without CORS to the browser: they may be errors', async () => {
  expect(await worker.ask(remoteCoinImage(7), { mode: 'no-cors' })).toBeUndefined();
  expect(await worker.ask('/coins/1.webp', { mode: 'no-cors' })).toBeDefined();
});

it.each([
  ['an error', () => new Response('', { status: 503, headers: { 'Content-Type': 'image/png' } })],
  ['a part', () => new Response('half', { status: 206, headers: { 'Content-Type': 'image/png' } })],
  ['a page of a captive portal', () => new Response('<p>Log in', { headers: { 'Content-Type': 'text/html' } })],
])('passes on %s without caching it', async (_what, bad) => {
  answer = bad;
  expect(await worker.ask('/coins/1.webp')).toBeDefined();
  answer = image;
  await textOf('/coins/2.webp');
  await vi.waitFor(() => expect(kept()).toEqual(['https://tidemark.test/coins/2.webp']));
});

it(`keeps the ${LIMIT} images that were stored last`, async () => {
  for (let id = 0; id <= LIMIT; id++) await textOf(`/coins/${id}.webp`);
  await vi.waitFor(() => expect(kept()).toContain(`https://tidemark.test/coins/${LIMIT}.webp`));
  await vi.waitFor(() => expect(kept()).toHaveLength(LIMIT));
  expect(kept()).not.toContain('https://tidemark.test/coins/0.webp');
});

it('deletes all images when the device is out of space, and still answers', async () => {
  await textOf('/coins/1.webp');
  const cache = await worker.caches.open('coin-images');
  await vi.waitFor(() => expect(kept()).toHaveLength(1));
  cache.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  expect(await textOf('/coins/2.webp')).toContain('/coins/2.webp');
  await vi.waitFor(() => expect(kept()).toEqual([]));
});
