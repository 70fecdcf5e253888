import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#client/platform/api/errors.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { CONTACTS } from '#client/platform/outbox/contact-triggers.ts';
import {
  type ContactMessage,
  contactsLane,
  discardContact,
  type PostContact,
  retryContact,
  writeContact,
} from '#client/platform/outbox/contacts.ts';
import { drainContacts } from '#client/platform/outbox/contacts-worker.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { laneLock } from '#client/platform/outbox/outbox.ts';
import { sendContacts, startSendingContacts } from '#client/platform/outbox/send-contacts.ts';
import { onSending, shareSent } from '#client/platform/outbox/send-progress.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeUpload } from '#tests/support/client/fake-upload.ts';

let users = 0;
let userId: string;
const db = () => userDb(userId);

const picture = (name: string, ...bytes: number[]) => ({ name, type: 'image/png', bytes: new Uint8Array(bytes).buffer });
const message = (changes: Partial<ContactMessage> = {}): ContactMessage => ({
  kind: 'contact',
  user_id: userId,
  name: 'Ada',
  email: 'ada@example.com',
  message: 'My chart is upside down.',
  files: [picture('one.png', 1, 2), picture('two.png', 3)],
  ...changes,
});
const put = (id: string, changes: Partial<ContactMessage> = {}) =>
  writeContact(db(), message(changes), { newId: () => id, clock: () => 1_000 });
const row = (id: string) => db().contacts.get(id);
const refusal = (status: number) => new ApiError({ status, code: 'no', message: `No: ${status}` });
const taken = { status: 200, body: { status: 200, message: 'We have it.', data: { id: 'server-1' } } };

beforeEach(async () => {
  users += 1;
  userId = `contacts-${users}`;
  vi.stubGlobal('fetch', async () => Response.json(taken.body));
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
});

describe('a message to support', () => {
  it('is stored before it is sent, with its preview', async () => {
    await put('a');
    expect(await row('a')).toEqual({
      id: 'a',
      kind: 'contact',
      message: 'My chart is upside down.',
      files: 2,
      createdAt: 1_000,
      sentAt: null,
    });
    expect(await db().outbox.toArray()).toMatchObject([
      { id: 'a', lane: CONTACTS, state: 'waiting', body: { files: [{ name: 'one.png' }, {}] } },
    ]);
  });

  it('is sent with all its fields and files under its own key, and marked as sent', async () => {
    await put('a', { kind: 'deletion' });
    const post = vi.fn<PostContact>(async () => undefined);
    expect(
      await drainLane(
        db(),
        contactsLane(post, () => 5_000),
      ),
    ).toBe('empty');
    const [path, request] = post.mock.lastCall ?? [];
    const form = request?.form;
    expect([path, request?.key]).toEqual(['/contact-us/send-message', 'a']);
    const { files: _, ...fields } = message({ kind: 'deletion' });
    for (const [name, value] of Object.entries(fields)) expect(form?.get(name)).toBe(value);
    const files = form?.getAll('files') as File[];
    expect(await Promise.all(files.map(async (file) => [file.name, file.type, ...new Uint8Array(await file.arrayBuffer())]))).toEqual([
      ['one.png', 'image/png', 1, 2],
      ['two.png', 'image/png', 3],
    ]);
    expect(await row('a')).toMatchObject({ sentAt: 5_000 });
    expect(await db().outbox.count()).toBe(0);
  });

  it.each([500, 503, 429, 408, 401])('stays queued after %i, and shows the attempt', async (status) => {
    await put('a');
    const post = vi.fn<PostContact>().mockRejectedValueOnce(refusal(status)).mockResolvedValueOnce(undefined);
    expect(await drainLane(db(), contactsLane(post))).toBe('stopped');
    expect(await row('a')).toMatchObject({ sentAt: null, tried: true });
    expect(await drainLane(db(), contactsLane(post))).toBe('empty');
    expect(post.mock.calls.map(([, { key }]) => key)).toEqual(['a', 'a']);
  });

  it.each([400, 404, 413, 422])('fails after %i with the reason, does not block the next message, and can be retried', async (status) => {
    await put('a');
    await put('b');
    const post = vi.fn<PostContact>().mockRejectedValueOnce(refusal(status)).mockResolvedValue(undefined);
    expect(await drainLane(db(), contactsLane(post))).toBe('empty');
    expect([await row('a'), await row('b')]).toMatchObject([{ refused: `No: ${status}`, sentAt: null }, { sentAt: expect.any(Number) }]);
    await retryContact(db(), 'a');
    expect((await row('a'))?.refused).toBeUndefined();
    await drainLane(db(), contactsLane(post));
    expect(await row('a')).toMatchObject({ sentAt: expect.any(Number) });
  });

  it('can be discarded after a refusal', async () => {
    await put('a');
    await drainLane(
      db(),
      contactsLane(async () => Promise.reject(refusal(422))),
    );
    await discardContact(db(), 'a');
    expect([await row('a'), await db().outbox.count()]).toEqual([undefined, 0]);
  });

  it('is never sent with another user’s token', async () => {
    await put('a');
    const mine = db();
    await signIn(makeTokens({ sub: 'other-user' }), true);
    const post = vi.fn<PostContact>();
    expect(await drainLane(mine, contactsLane(post))).toBe('stopped');
    expect(post).not.toHaveBeenCalled();
    expect((await mine.outbox.toArray())[0]).toMatchObject({ state: 'waiting' });
  });
});

describe('the progress of a message', () => {
  it('is reported only while it is sent', async () => {
    await put('a');
    const told: unknown[] = [];
    const stop = onSending(() => told.push(shareSent('a')));
    await drainLane(
      db(),
      contactsLane(async (_path, { onProgress }) => onProgress(0.5)),
    );
    stop();
    expect(told).toEqual([null, 0.5, undefined]);
  });

  it('is reported to other tabs, and dropped when its sender dies', async () => {
    const worker = new BroadcastChannel('tidemark/sending');
    let die = () => {};
    const died = new Promise<void>((resolve) => {
      die = resolve;
    });
    void navigator.locks.request(laneLock(db(), CONTACTS), () => died);
    worker.postMessage({ id: 'far', share: 0.25, lock: laneLock(db(), CONTACTS) });
    await vi.waitFor(() => expect(shareSent('far')).toBe(0.25));
    die();
    await vi.waitFor(() => expect(shareSent('far')).toBeUndefined());
    worker.close();
  });
});

describe('the page', () => {
  it('sends with progress, notifies the worker, and registers a background sync', async () => {
    const postMessage = vi.fn();
    const register = vi.fn(async () => undefined);
    const registration = { active: { postMessage }, sync: { register } };
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { getRegistration: async () => registration } });
    const uploads = fakeUpload(() => taken);
    startSendingContacts();
    await vi.waitFor(() => expect(postMessage).toHaveBeenCalledWith({ type: 'REPLAY' }));
    await put('a');
    sendContacts();
    await vi.waitFor(async () => expect(await row('a')).toMatchObject({ sentAt: expect.any(Number) }));
    await vi.waitFor(() => expect(register).toHaveBeenCalledWith(CONTACTS));
    expect(uploads.map(({ call, headers }) => [call, headers.get('Idempotency-Key')])).toEqual([
      ['POST /api/contact-us/send-message', 'a'],
    ]);
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });
});

describe('the worker', () => {
  it('sends with a token of the stored session', async () => {
    const tokens = makeTokens({ sub: userId });
    await signIn(tokens, true);
    await put('a');
    const asked: [string, string | null, string | null][] = [];
    vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
      const sent = new Headers(headers);
      asked.push([url, sent.get('Authorization'), sent.get('Idempotency-Key')]);
      return Response.json(taken.body);
    });
    expect(await drainContacts()).toBe('empty');
    expect(asked).toEqual([['/api/contact-us/send-message', `Bearer ${tokens.accessToken}`, 'a']]);
    expect(await row('a')).toMatchObject({ sentAt: expect.any(Number) });
  });

  it.each([
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a captive portal', async () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })],
    ['an answer it cannot read', async () => Response.json({ status: 200 })],
  ])('keeps the message on %s', async (_what, answer) => {
    await put('a');
    vi.stubGlobal('fetch', answer);
    await expect(drainContacts()).resolves.toBe('stopped');
    expect((await db().outbox.toArray())[0]).toMatchObject({ state: 'waiting' });
    expect(await row('a')).toMatchObject({ sentAt: null });
  });

  it('waits for a login', async () => {
    await put('a');
    const left = db();
    await endSession();
    expect(await drainContacts()).toBe('empty');
    expect(await left.outbox.count()).toBe(1);
  });
});
