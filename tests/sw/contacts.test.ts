import Dexie from 'dexie';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { writeContact } from '#client/platform/outbox/contacts.ts';
import { drainContacts } from '#client/platform/outbox/contacts-worker.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { sendContacts } from '#sw/contacts.ts';
import { makeTokens } from '../support/accounts/tokens.ts';

type Listener = (event: object) => void;

const db = () => userDb('worker-1');
let listeners: Map<string, Listener[]>;
let answer: () => Promise<Response>;
let keys: (string | null)[];
/** URLs of the scripts that the worker loaded. */
let imported: string[];

/** Dispatches an event. Resolves when everything passed to `waitUntil` has resolved. */
function dispatch(type: string, fields: object = {}): Promise<unknown> {
  const waits: Promise<unknown>[] = [];
  for (const listener of listeners.get(type) ?? []) listener({ ...fields, waitUntil: (work: Promise<unknown>) => waits.push(work) });
  return Promise.all(waits);
}

const sent = async () => (await db().contacts.toArray()).filter(({ sentAt }) => sentAt !== null).map(({ id }) => id);

beforeEach(async () => {
  listeners = new Map();
  keys = [];
  answer = async () => Response.json({ status: 200, message: 'We have it.', data: { id: 'server-1' } });
  const addEventListener = (type: string, listener: Listener) => listeners.set(type, [...(listeners.get(type) ?? []), listener]);
  imported = [];
  const importScripts = (url: string) => {
    imported.push(url);
    Object.assign(self, { drainContacts });
  };
  vi.stubGlobal('self', { addEventListener, importScripts });
  vi.stubGlobal('OUTBOX_URL', '/assets/outbox-1.js');
  vi.stubGlobal('fetch', (url: string, { headers }: RequestInit = {}) => {
    if (url.includes('contact-us')) keys.push(new Headers(headers).get('Idempotency-Key'));
    return answer();
  });
  await signIn(makeTokens({ sub: 'worker-1' }), true);
  const message = { kind: 'contact', user_id: 'worker-1', name: 'Ada', email: 'ada@example.com', message: 'Help', files: [] } as const;
  await writeContact(db(), { ...message, files: [] }, { newId: () => 'a' });
  sendContacts();
});

afterEach(async () => {
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await Promise.all([db().contacts.clear(), db().outbox.clear()]);
});

describe('the worker sends queued messages', () => {
  it.each([
    ['the browser reports a connection', 'sync', { tag: 'contacts' }],
    ['a page asks', 'message', { data: { type: 'REPLAY' } }],
    ['it takes over', 'activate', {}],
  ])('when %s', async (_when, type, fields) => {
    await dispatch(type, fields);
    expect(await sent()).toEqual(['a']);
  });

  it('some time after its start', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const done = dispatch('fetch');
    expect(keys).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    vi.useRealTimers();
    await done;
    expect(await sent()).toEqual(['a']);
  });

  it('once, for any number of triggers at the same time', async () => {
    await Promise.all([dispatch('sync', { tag: 'contacts' }), dispatch('message', { data: { type: 'REPLAY' } }), dispatch('activate')]);
    expect(keys).toEqual(['a']);
  });
});

it('keeps no data of a user who signs out in a tab while a message is being sent', async () => {
  const page = new BroadcastChannel('tidemark/sign-out');
  const otherPage = new BroadcastChannel('tidemark/sign-out');
  const told = new Promise((resolve) => {
    otherPage.onmessage = resolve;
  });
  answer = async () => {
    await endSession();
    page.postMessage('worker-1');
    await deleteUserDb('worker-1');
    // The next access creates the database again.
    await db().outbox.count();
    await told;
    return Response.json({ status: 500, code: 'internal', message: 'Trouble' }, { status: 500 });
  };
  await dispatch('message', { data: { type: 'REPLAY' } });
  page.close();
  otherPage.close();
  expect(await Dexie.exists('tidemark-user-worker-1')).toBe(false);
});

describe('the outbox', () => {
  const triggers = () =>
    Promise.all([dispatch('sync', { tag: 'contacts' }), dispatch('message', { data: { type: 'REPLAY' } }), dispatch('activate')]);

  it('is not loaded while no message waits', async () => {
    await db().outbox.clear();
    await triggers();
    expect(imported).toEqual([]);
  });

  it('is loaded once', async () => {
    await triggers();
    await triggers();
    expect(imported).toEqual(['/assets/outbox-1.js']);
  });

  it('is loaded when the device cannot tell whether a message waits, and reports why', async () => {
    vi.spyOn(indexedDB, 'databases').mockRejectedValue(new DOMException('broken', 'UnknownError'));
    await triggers();
    expect(imported).toHaveLength(1);
    vi.restoreAllMocks();
  });

  it('is imported during the installation, which fails without it', async () => {
    await dispatch('install');
    expect(imported).toEqual(['/assets/outbox-1.js']);
    vi.stubGlobal('self', { ...self, drainContacts: undefined, importScripts: () => undefined });
    await expect(dispatch('install')).rejects.toThrow('did not load');
    expect(keys).toEqual([]);
  });
});

describe('a failed send', () => {
  it('rejects the sync, so that the browser repeats it and the same message is resent', async () => {
    answer = async () => Response.json({ status: 500, code: 'internal', message: 'Trouble' }, { status: 500 });
    await expect(dispatch('sync', { tag: 'contacts' })).rejects.toThrow('still wait');
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(dispatch('sync', { tag: 'contacts' })).rejects.toThrow('still wait');
    answer = async () => Response.json({ status: 200, message: 'We have it.', data: { id: 'server-1' } });
    await dispatch('sync', { tag: 'contacts' });
    expect(keys).toEqual(['a', 'a', 'a']);
    expect(await sent()).toEqual(['a']);
  });

  it('reports no error to a page that asked for it', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(dispatch('message', { data: { type: 'REPLAY' } })).resolves.toBeDefined();
    expect(await sent()).toEqual([]);
  });
});

it('ignores other messages and tags', async () => {
  await dispatch('sync', { tag: 'other' });
  await dispatch('message', { data: 'SKIP_WAITING' });
  await dispatch('message', { data: null });
  expect(keys).toEqual([]);
});

it('keeps an unremembered session, whose window may still be open', async () => {
  await endSession();
  await signIn(makeTokens({ sub: 'worker-1' }), false);
  vi.stubGlobal('sessionStorage', undefined);
  vi.spyOn(navigator.locks, 'query').mockResolvedValue({ held: [], pending: [] });
  await dispatch('message', { data: { type: 'REPLAY' } });
  expect(keys).toEqual([]); // no window is open
  vi.restoreAllMocks();
  await dispatch('message', { data: { type: 'REPLAY' } });
  expect(await sent()).toEqual(['a']);
});
