import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, MINUTE } from '#domain/clock.ts';
import { contactFiles, contactMessages } from '#server/db/schema/contacts.ts';
import { idempotency } from '#server/db/schema/requests.ts';
import { createContacts } from '#server/modules/contacts/service.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import { blackPng, photoWithExif } from '#tests/support/charts/pictures.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { blobsOf, contentOf } from '#tests/support/server/blobs.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
let server: TestServer;
let ada: SignedUp;

beforeAll(async () => {
  server = await startServer({ clock: () => NOON });
});
beforeEach(async () => {
  ada = await server.signUp();
});
afterAll(() => server.close());

const form = (changes: Record<string, unknown> = {}) => ({
  user_id: ada.user.id,
  name: 'Ada Lovelace',
  email: ada.user.email,
  message: 'Please delete my account.',
  ...changes,
});
const send = (body: unknown, headers = {}) =>
  server.post('/user/delete/send-request', body, { authorization: ada.authorization, ...headers });
const stored = () => server.db.select().from(contactMessages).where(eq(contactMessages.userId, ada.user.id));

async function acknowledgements() {
  await server.settled();
  return (await lettersTo(server.dataDir, ada.user.email)).filter(({ subject }) => subject.includes('delete'));
}

describe('a request to delete an account', () => {
  test('is stored and acknowledged by mail; the account stays', async () => {
    const response = await send(form({ name: ' Ada ' }));
    expect([response.status, await response.json()]).toEqual([200, { status: 200, message: expect.any(String) }]);
    await server.settled();
    expect(await stored()).toEqual([
      {
        id: expect.any(String),
        userId: ada.user.id,
        kind: 'deletion',
        name: 'Ada',
        email: ada.user.email,
        message: 'Please delete my account.',
        reply: null,
        repliedAt: null,
        key: null,
        acknowledgeAt: null,
        createdAt: new Date(NOON),
      },
    ]);
    expect(await acknowledgements()).toEqual([expect.objectContaining({ text: expect.stringContaining('Hello Ada,') })]);
    const own = await fetch(`${server.url}/api/auth/user/${ada.user.id}/`, { headers: { authorization: ada.authorization } });
    expect(own.status).toBe(200);
  });

  test('with one Idempotency-Key is stored and acknowledged once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(async () => (await send(form(), headers)).json()));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await stored()).toHaveLength(1);
    expect(await acknowledgements()).toHaveLength(1);
  });

  test('writes to the account’s own address, whatever the request says', async () => {
    await send(form({ email: 'mallory@example.com' }));
    expect((await stored())[0]?.email).toBe(ada.user.email);
    expect(await acknowledgements()).toHaveLength(1);
    expect(await lettersTo(server.dataDir, 'mallory@example.com')).toEqual([]);
  });

  test('is for oneself only', async () => {
    const bob = await server.signUp();
    expect((await send(form({ user_id: bob.user.id }))).status).toBe(404);
    expect((await server.post('/user/delete/send-request', form())).status).toBe(401);
    expect(await server.db.$count(contactMessages, eq(contactMessages.userId, bob.user.id))).toBe(0);
  });

  test.each([
    ['name', 'Name is required!'],
    ['message', 'Type Message is required!'],
  ])('needs a %s', async (field, message) => {
    for (const value of ['  ', undefined]) {
      const response = await send(form({ [field]: value }));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ message, detail: { fields: { [field]: message } } });
    }
    expect(await stored()).toEqual([]);
  });
});

describe('a message to support', () => {
  const picture = blackPng(2, 2);
  const files = () => server.db.select().from(contactFiles).innerJoin(contactMessages, eq(contactMessages.id, contactFiles.messageId));
  const filesOf = async () => (await files()).filter((row) => row.contact_messages.userId === ada.user.id).map((row) => row.contact_files);

  function post(fields: Record<string, unknown>, pictures: Buffer<ArrayBuffer>[] = [], headers: Record<string, string> = {}) {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...form(), message: 'My chart is upside down.', ...fields }))
      body.append(name, String(value));
    for (const bytes of pictures) body.append('files', new Blob([bytes], { type: 'image/gif' }), '../../etc/passwd');
    const authorization = ada.authorization;
    return fetch(`${server.url}/api/contact-us/send-message/`, { method: 'POST', headers: { authorization, ...headers }, body });
  }
  const letters = async () => {
    await server.settled();
    return (await lettersTo(server.dataDir, ada.user.email)).filter(({ subject }) => subject.includes('support'));
  };

  test('is stored with its pictures in order, named by their type, and acknowledged', async () => {
    const photo = Buffer.from(await photoWithExif(40, 20));
    const response = await post({ email: 'mallory@example.com' }, [picture, photo, picture]);
    const [message] = await stored();
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 200, message: expect.any(String), data: { id: message?.id } },
    ]);
    expect(message).toMatchObject({ kind: 'contact', email: ada.user.email, message: 'My chart is upside down.' });
    const told = (await filesOf()).map(async (row) => [row.place, row.name, row.type, await contentOf(server, row)]);
    expect(await Promise.all(told)).toEqual([
      [1, '1.png', 'image/png', picture],
      [2, '2.jpg', 'image/jpeg', photo],
      [3, '3.png', 'image/png', picture],
    ]);
    expect(await letters()).toHaveLength(1);
  });

  test('may ask for deletion, and may come without a picture or with one', async () => {
    expect((await post({ kind: 'deletion' })).status).toBe(200);
    expect((await post({}, [picture])).status).toBe(200);
    expect((await stored()).map(({ kind }) => kind).sort()).toEqual(['contact', 'deletion']);
    expect(await acknowledgements()).toHaveLength(1);
    expect(await filesOf()).toHaveLength(1);
  });

  test('with one Idempotency-Key is stored and acknowledged once; with other pictures it is another request', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2].map(async () => (await post({}, [picture, picture], headers)).json()));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await post({}, [picture], headers)).status).toBe(422);
    expect(await stored()).toHaveLength(1);
    expect(await filesOf()).toHaveLength(2);
    expect(await letters()).toHaveLength(1);
  });

  test('that is sent again after its stored answer has expired is not stored twice', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await (await post({}, [picture], headers)).json();
    await server.db.delete(idempotency).where(eq(idempotency.userId, ada.user.id));
    expect(await (await post({}, [picture], headers)).json()).toEqual(first);
    expect(await stored()).toHaveLength(1);
    expect(await filesOf()).toHaveLength(1);
    expect(await letters()).toHaveLength(1);
  });

  test('is for oneself only', async () => {
    const bob = await server.signUp();
    expect((await post({ user_id: bob.user.id })).status).toBe(404);
    expect((await post({}, [], { authorization: '' })).status).toBe(401);
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['no picture', [Buffer.from('GIF89a not for support')], 400],
    ['half a picture', [picture.subarray(0, 20)], 400],
    ['six pictures', Array.from({ length: 6 }, () => picture), 413],
    ['more than 8 MB', [Buffer.concat([picture, Buffer.alloc(8 * 1024 * 1024)])], 413],
  ])('is refused with %s', async (_, pictures, status) => {
    expect((await post({}, pictures as Buffer<ArrayBuffer>[])).status).toBe(status);
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['name', 'Name is required!'],
    ['message', 'Type Message is required!'],
  ])('needs a %s', async (field, message) => {
    const response = await post({ [field]: ' ' });
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ message })]);
  });

  test('can be sent by a device that has twenty waiting, each thrice, and not without end', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 61; count++) statuses.push((await (count % 2 ? send(form()) : post({}))).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  });
});

test('a user reads their own messages with support’s answers, and no others', async () => {
  const read = async (authorization: string) => {
    const response = await fetch(`${server.url}/api/contact-us/messages`, { headers: { authorization } });
    return [response.status, (await response.json()).data];
  };
  await send(form());
  await server.db
    .update(contactMessages)
    .set({ reply: 'Done.', repliedAt: new Date(NOON) })
    .where(eq(contactMessages.userId, ada.user.id));
  expect(await read(ada.authorization)).toEqual([
    200,
    [
      {
        id: expect.any(String),
        kind: 'deletion',
        name: 'Ada Lovelace',
        message: 'Please delete my account.',
        files: 0,
        created_at: new Date(NOON).toISOString(),
        reply: 'Done.',
        replied_at: new Date(NOON).toISOString(),
      },
    ],
  ]);
  const bob = await server.signUp();
  expect(await read(bob.authorization)).toEqual([200, []]);
  expect(await read('')).toEqual([401, undefined]);
});

const nothing = async () => undefined;
const underway: Promise<unknown>[] = [];
/** Creates a contact service whose mail can fail, as another process would. */
const contactsWith = (send: MailPort['send'], clock = () => NOON) =>
  createContacts({
    db: server.db,
    clock,
    mail: { send, close: () => undefined },
    afterResponse: { run: (work) => void underway.push(work().catch(() => undefined)), settled: nothing, close: nothing },
    notify: createNotifications({ db: server.db, clock }).notify,
    blobs: blobsOf(server),
  });

describe('an acknowledgement', () => {
  const due = () =>
    server.db
      .update(contactMessages)
      .set({ acknowledgeAt: new Date(NOON) })
      .where(eq(contactMessages.userId, ada.user.id));
  const open = async () => (await stored()).map(({ acknowledgeAt }) => acknowledgeAt);
  const sent: string[] = [];
  const works: MailPort['send'] = async ({ to }) => String(sent.push(to));
  const catchUp = async (contacts: ReturnType<typeof contactsWith>) => {
    await contacts.acknowledgeLate();
    await Promise.all(underway.splice(0));
  };
  beforeEach(async () => {
    await server.db.delete(contactMessages);
    sent.length = 0;
  });

  test('whose server fell before it was mailed is mailed later, once', async () => {
    const write = { kind: 'contact', name: 'Ada', message: 'Hello' } as const;
    // The process stops right after the commit.
    await server.db.transaction((tx) => contactsWith(works).take(tx, ada.user.id, write));
    await catchUp(contactsWith(works, () => NOON + 5 * MINUTE - 1));
    expect(sent).toEqual([]); // Another process may be sending it.
    await Promise.all([1, 2, 3].map(() => catchUp(contactsWith(works, () => NOON + 5 * MINUTE))));
    expect(sent).toEqual([ada.user.email]);
    expect(await open()).toEqual([null]);
    await catchUp(contactsWith(works, () => NOON + DAY));
    expect(sent).toHaveLength(1);
  });

  test('that could not be mailed is tried again, and given up after three days', async () => {
    await send(form());
    await server.settled();
    const fails: MailPort['send'] = async () => Promise.reject(new Error('no mail today'));
    await due();
    await catchUp(contactsWith(fails));
    expect(await open()).toEqual([new Date(NOON + 5 * MINUTE)]);
    await catchUp(contactsWith(works, () => NOON + 5 * MINUTE));
    expect([sent, await open()]).toEqual([[ada.user.email], [null]]);
    await due();
    await catchUp(contactsWith(works, () => NOON + 3 * DAY));
    expect([sent.length, await open()]).toEqual([1, [null]]);
  });
});

describe('a reply', () => {
  const works: MailPort['send'] = async () => 'mailed';
  const message = { kind: 'contact', name: 'Ada', message: 'Hello' } as const;
  const ask = async () => (await server.db.transaction((tx) => contactsWith(works).take(tx, ada.user.id, message))).id;
  const ofAda = async () => (await stored()).map(({ reply }) => reply);

  test('of a second operator is refused while the first one’s is mailed', async () => {
    const id = await ask();
    const gate = createGate();
    const mailed: string[] = [];
    const mail: MailPort['send'] = async ({ text }) => {
      mailed.push(text);
      await gate.passed;
      return 'mailed';
    };
    const first = contactsWith(mail).reply(id, 'From one.');
    await vi.waitFor(() => expect(mailed).toHaveLength(1));
    await expect(contactsWith(mail).reply(id, 'From two.')).rejects.toThrow('being answered');
    expect(await contactsWith(works).of(ada.user.id)).toMatchObject([{ reply: null, replied_at: null }]);
    expect(await contactsWith(works).list('contact')).toContainEqual(expect.objectContaining({ id, reply: null, repliedAt: null }));
    gate.open();
    await first;
    expect([mailed.length, await ofAda()]).toEqual([1, ['From one.']]);
    await expect(contactsWith(mail).reply(id, 'From two.')).rejects.toThrow('answered already');
  });

  test('that could not be mailed can be sent again at once, and that of a killed process after five minutes', async () => {
    const id = await ask();
    const fails: MailPort['send'] = async () => Promise.reject(new Error('no mail today'));
    await expect(contactsWith(fails).reply(id, 'Hello.')).rejects.toThrow('no mail today');
    void contactsWith(() => new Promise(() => undefined)).reply(id, 'Never sent.');
    await vi.waitFor(async () => expect((await stored())[0]?.repliedAt).toEqual(new Date(NOON)));
    await expect(contactsWith(works, () => NOON + 5 * MINUTE - 1).reply(id, 'Hello.')).rejects.toThrow('being answered');
    await contactsWith(works, () => NOON + 5 * MINUTE).reply(id, 'Hello.');
    expect(await ofAda()).toEqual(['Hello.']);
  });
});
