import { afterEach, expect, test, vi } from 'vitest';
import { awaitContent } from '#client/platform/cache/first-content.ts';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';

afterEach(() => vi.unstubAllGlobals());

function stubNavigator(fields: object) {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), fields));
}

/** Files that record the order in which they load. The first one fails. */
function files() {
  const loaded: string[] = [];
  const file = (name: string) => async () => {
    loaded.push(name);
    if (name === 'a') throw new Error('no connection');
  };
  return { loaded, loads: [file('a'), file('b'), file('c')] };
}

test('loads each file after the content, also when one fails', async () => {
  const { loaded, loads } = files();
  const hasContent = awaitContent();
  preloadWhenIdle(loads);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(loaded).toEqual([]);
  hasContent();
  await expect.poll(() => loaded).toEqual(['a', 'b', 'c']);
});

test('stops when its page is left', async () => {
  const { loaded, loads } = files();
  const stop = preloadWhenIdle([loads[0] ?? vi.fn(), async () => stop(), ...loads]);
  await expect.poll(() => loaded).toEqual(['a']);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(loaded).toEqual(['a']);
});

test.each([
  ['Save-Data', { connection: { saveData: true } }, 0],
  ['2G', { connection: { effectiveType: 'slow-2g' } }, 0],
  ['4G', { connection: { effectiveType: '4g' } }, 3],
  ['Save-Data, but the worker has the files', { connection: { saveData: true }, serviceWorker: { controller: {} } }, 3],
])('on %s', async (_name, fields, count) => {
  stubNavigator(fields);
  const { loaded, loads } = files();
  preloadWhenIdle(loads);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await expect.poll(() => loaded.length).toBe(count);
});
