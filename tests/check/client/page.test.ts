import Dexie from 'dexie';
import { expect, it, vi } from 'vitest';
import { closePage, openPage } from '#tests/support/client/page.ts';

/** Long enough for a timer of a millisecond, a message and an event to arrive. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

it('has no storage, address, global, database or document of the page before', async () => {
  localStorage.setItem('key', 'value');
  history.replaceState(null, '', '/before');
  document.body.innerHTML = '<p>Before</p>';
  Object.assign(globalThis, { before: true });
  const db = new Dexie('before');
  db.version(1).stores({ rows: 'id' });
  await db.table('rows').put({ id: 1 });
  db.close();

  await openPage();
  expect([localStorage.length, location.pathname, document.body.innerHTML]).toEqual([0, '/', '']);
  expect('before' in globalThis).toBe(false);
  expect(await indexedDB.databases()).toEqual([]);
});

it('loads modules and packages with state again', async () => {
  const modules = () => Promise.all([import('#client/platform/session/session.ts'), import('dexie'), import('swr')]);
  const before = await modules();
  await openPage();
  for (const [index, module] of (await modules()).entries()) expect(module).not.toBe(before[index]);
});

it('hears nothing of the timers, channels and listeners of the page before', async () => {
  const heard: string[] = [];
  setTimeout(() => heard.push('timeout'), 1);
  setInterval(() => heard.push('interval'), 1);
  new BroadcastChannel('news').onmessage = () => heard.push('message');
  addEventListener('online', () => heard.push('event'));

  await openPage();
  const channel = new BroadcastChannel('news');
  channel.postMessage('now');
  dispatchEvent(new Event('online'));
  await pause();
  expect(heard).toEqual([]);
});

it('waits for what the page before began', async () => {
  const steps: string[] = [];
  void indexedDB.databases().then(() => steps.push('read'));
  const later = (left: number) => void setImmediate(() => (left > 0 ? later(left - 1) : steps.push('immediates')));
  later(20);
  await openPage();
  expect(steps.toSorted()).toEqual(['immediates', 'read']);
});

it('fails code of a closed page that still runs', async () => {
  await closePage();
  const isGone = typeof document === 'undefined' && typeof localStorage === 'undefined';
  await openPage();
  expect(isGone).toBe(true);
});

it('reports work that does not end', async () => {
  let isEnded = false;
  const again = () => void setImmediate(() => isEnded || again());
  again();
  const leaks = await closePage();
  isEnded = true;
  await openPage();
  expect(leaks).toEqual(['work that does not end']);
});

it('names and undoes what outlasts a page: a faked clock, prototypes, the environment, listeners of the process', async () => {
  const { click } = HTMLElement.prototype;
  const { random } = Math;
  const listeners = process.listenerCount('warning');
  vi.useFakeTimers();
  HTMLElement.prototype.click = () => {};
  Math.random = () => 0;
  Object.assign(Array.prototype, { last: 1 });
  process.env.LEFT_BEHIND = '1';
  process.on('warning', () => {});

  const leaks = await closePage();
  await openPage();
  expect(leaks.toSorted()).toEqual([
    'Array.prototype.last',
    'HTMLElement.prototype.click',
    'Math.random',
    'a listener of process for warning',
    'fake timers',
    'process.env.LEFT_BEHIND',
  ]);
  expect([HTMLElement.prototype.click, Math.random]).toEqual([click, random]);
  expect([vi.isFakeTimers(), 'last' in [], process.env.LEFT_BEHIND]).toEqual([false, false, undefined]);
  expect(process.listenerCount('warning')).toBe(listeners);
});

it('undoes spies and stubs without a complaint', async () => {
  vi.spyOn(Math, 'random');
  vi.stubGlobal('fetch', () => {});
  expect(await closePage()).toEqual([]);
  await openPage();
});
