import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isReachable, reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';

const health = () => new Response('{"status":200}', { headers: { 'Content-Type': 'application/json' } });
const portal = () => new Response('<html>Welcome aboard</html>', { headers: { 'Content-Type': 'text/html' } });
const online = (value: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(value);

let fetched: ReturnType<typeof vi.fn<typeof fetch>>;

beforeEach(() => {
  vi.useFakeTimers();
  fetched = vi.fn<typeof fetch>(async () => health());
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  online(true);
  reportReachable();
});

afterEach(() => {
  online(true);
  reportReachable();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('polls with backoff until the server answers', async () => {
  fetched.mockRejectedValueOnce(new TypeError()).mockResolvedValueOnce(portal());
  reportUnreachable();
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(isReachable()).toBe(false);
  expect(fetched).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(7_999);
  expect(isReachable()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isReachable()).toBe(true);
});

it.each([
  [0, 1_000],
  [1, 3_000],
])('spreads the probes of many pages: with %d of 1 at random, the first comes after %d ms', async (share, after) => {
  vi.mocked(Math.random).mockReturnValue(share);
  reportUnreachable();
  await vi.advanceTimersByTimeAsync(after - 1);
  expect(fetched).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveBeenCalledOnce();
});

it('is restored by any answer while the device is online', () => {
  reportUnreachable();
  reportReachable();
  expect(isReachable()).toBe(true);
});

it('is not restored by a late answer of a lost connection', async () => {
  fetched.mockRejectedValue(new TypeError());
  online(false);
  reportUnreachable();
  reportReachable();
  await vi.advanceTimersByTimeAsync(1);
  expect(isReachable()).toBe(false);
});

it('is restored if the server answers although the device is offline, as a local server does', async () => {
  online(false);
  reportUnreachable();
  reportReachable();
  await vi.advanceTimersByTimeAsync(1);
  expect(isReachable()).toBe(true);
});
