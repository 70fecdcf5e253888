import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { runWorker } from './run-worker.ts';

interface Shown {
  title: string;
  body: string;
  tag?: string;
  data: { path: string; receipt?: string };
}

let shown: Shown[];
let posted: { url: string; body: unknown }[];
let opened: string[];
let worker: Awaited<ReturnType<typeof runWorker>>;

const message = (changes: object = {}) => ({
  web_push: 8030,
  app_badge: 3,
  notification: {
    title: 'Price alert',
    body: 'Bitcoin rose.',
    navigate: 'https://elsewhere.example.com/crypto/details/1?a=1',
    tag: 'one',
    data: { session: 's1', receipt: 'id.token' },
    ...changes,
  },
});
const data = (value: unknown) => ({ data: { json: () => JSON.parse(typeof value === 'string' ? value : JSON.stringify(value)) } });
const keepSession = (window: string | null) => deviceDb.session.put({ id: 'current', sealed: new ArrayBuffer(1), window, sessionId: 's1' });

beforeEach(async () => {
  [shown, posted, opened] = [[], [], []];
  await keepSession(null);
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    posted.push({ url, body: JSON.parse(String(body)) });
    return Response.json({});
  });
  worker = await runWorker([]);
  Object.assign(worker.registration, {
    showNotification: async (title: string, options: Omit<Shown, 'title'>) => void shown.push({ title, ...options }),
  });
  Object.assign(self, {
    clients: { matchAll: async () => [], openWindow: async (path: string) => void opened.push(path), claim: async () => undefined },
  });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await deviceDb.session.clear();
});

it('shows the text of its user, and says so to the server', async () => {
  await worker.dispatch('push', data(message()));
  expect(shown).toMatchObject([{ title: 'Price alert', body: 'Bitcoin rose.', tag: 'one', data: { path: '/crypto/details/1?a=1' } }]);
  expect(posted).toEqual([{ url: '/api/notification/receipt', body: { token: 'id.token', event: 'shown' } }]);
});

it.each([
  ['of another session', message({ data: { session: 's2', receipt: 'id.token' } })],
  ['without a session', message({ data: {} })],
  ['without an address', message({ navigate: undefined })],
  ['without a notification', { web_push: 8030 }],
  ['that is no JSON', 'x'],
  ['that is null', null],
])('shows no text of a message %s, but something, and acknowledges nothing', async (_what, value) => {
  await worker.dispatch('push', data(value));
  expect(shown).toMatchObject([{ title: 'Tidemark', body: 'Open the app to see what is new.', data: { path: '/' } }]);
  expect(posted).toEqual([]);
});

it('shows something for a message without data', async () => {
  await worker.dispatch('push', { data: null });
  expect(shown).toHaveLength(1);
});

it('shows no text of a session that was not remembered, once its windows are closed', async () => {
  await keepSession('window-1');
  await worker.dispatch('push', data(message()));
  expect(shown).toMatchObject([{ title: 'Tidemark' }]);
});

it('opens the link, closes the notification and tells the server', async () => {
  const close = vi.fn();
  await worker.dispatch('notificationclick', { notification: { close, data: { path: '/settings/devices', receipt: 'id.token' } } });
  expect(close).toHaveBeenCalled();
  expect(opened).toEqual(['/settings/devices']);
  expect(posted).toEqual([{ url: '/api/notification/receipt', body: { token: 'id.token', event: 'opened' } }]);
});

it('subscribes again with the same key where the browser names no successor, and a failure ends nothing', async () => {
  const options = { applicationServerKey: new Uint8Array([251, 255]).buffer };
  const next = { toJSON: () => ({ endpoint: 'made', keys: { p256dh: 'p', auth: 'b' } }) };
  const asked: unknown[] = [];
  const subscribe = vi.fn(async (how: unknown) => asked.push(how) && next);
  Object.assign(worker.registration, { pushManager: { subscribe } });
  const oldSubscription = { endpoint: 'old', options, toJSON: () => ({ keys: { auth: 'a' } }) };
  await worker.dispatch('pushsubscriptionchange', { oldSubscription, newSubscription: null });
  expect(asked).toEqual([{ userVisibleOnly: true, applicationServerKey: options.applicationServerKey }]);
  expect(posted).toMatchObject([{ body: { endpoint: 'made', old: { endpoint: 'old', auth: 'a' } } }]);
  const said = vi.spyOn(console, 'error').mockReturnValue();
  subscribe.mockRejectedValueOnce(new Error('no push service'));
  await worker.dispatch('pushsubscriptionchange', { oldSubscription, newSubscription: null });
  expect(said).toHaveBeenCalled();
  expect(posted).toHaveLength(1);
});

it('tells the server which subscription replaces one, with the secret of the old one', async () => {
  const subscription = (endpoint: string, auth: string) => ({
    endpoint,
    options: { applicationServerKey: new Uint8Array([251, 255]).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth } }),
  });
  await worker.dispatch('pushsubscriptionchange', { oldSubscription: subscription('old', 'a'), newSubscription: subscription('new', 'b') });
  await worker.dispatch('pushsubscriptionchange', { oldSubscription: null, newSubscription: subscription('new', 'b') });
  const body = { endpoint: 'new', keys: { p256dh: 'p', auth: 'b' }, key: '-_8', old: { endpoint: 'old', auth: 'a' } };
  expect(posted).toEqual([{ url: '/api/push/subscriptions/renew', body }]);
});
