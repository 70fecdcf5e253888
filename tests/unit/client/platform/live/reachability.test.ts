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

it('is asked for until the server answers, less and less often', async () => {
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

it('comes with any answer while the device is online', () => {
  reportUnreachable();
  reportReachable();
  expect(isReachable()).toBe(true);
});

it('does not come with the last answer of a connection that is gone', async () => {
  fetched.mockRejectedValue(new TypeError());
  online(false);
  reportUnreachable();
  reportReachable();
  await vi.advanceTimersByTimeAsync(1);
  expect(isReachable()).toBe(false);
});

it('comes where the device says offline and the server answers all the same, as one on this machine does', async () => {
  online(false);
  reportUnreachable();
  reportReachable();
  await vi.advanceTimersByTimeAsync(1);
  expect(isReachable()).toBe(true);
});
