import { afterEach, describe, expect, it } from 'vitest';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';
import { backoff, drain, enqueue, Postponed, Refused, retry } from '#client/platform/outbox/outbox.ts';

const USER = 'outbox-user';
const db = () => userDb(USER);
const put = (id: string, lane = 'chat') => enqueue(db(), { id, lane, body: { text: id }, createdAt: 1 });
const waiting = async () => (await db().outbox.toArray()).map(({ id, state }) => `${id} ${state}`);

/** A sender that records its commands and fails on demand. */
function sender(failures: Record<string, Error[]> = {}) {
  const sent: string[] = [];
  const send = async ({ id }: { id: string }) => {
    sent.push(id);
    const failure = failures[id]?.shift();
    if (failure) throw failure;
  };
  return { sent, send };
}

afterEach(() => deleteUserDb(USER));

describe('draining', () => {
  it('sends in the order of writing and removes sent commands', async () => {
    for (const id of ['b', 'a', 'c']) await put(id);
    const { sent, send } = sender();
    expect(await drain(db(), 'chat', send)).toBe('empty');
    expect(sent).toEqual(['b', 'a', 'c']);
    expect(await waiting()).toEqual([]);
  });

  it('stops at a failure and keeps that command and all later ones', async () => {
    for (const id of ['a', 'b', 'c']) await put(id);
    const { sent, send } = sender({ b: [new Error('lost')] });
    expect(await drain(db(), 'chat', send)).toBe('stopped');
    expect(await waiting()).toEqual(['b waiting', 'c waiting']);
    expect((await db().outbox.toArray()).map(({ attempts }) => attempts)).toEqual([1, 0]);
    expect(await drain(db(), 'chat', send)).toBe('empty');
    expect(sent).toEqual(['a', 'b', 'b', 'c']);
  });

  it('parks a refused command with the reason, and continues', async () => {
    for (const id of ['a', 'b']) await put(id);
    const { sent, send } = sender({ a: [new Refused('Too long')] });
    expect(await drain(db(), 'chat', send)).toBe('empty');
    expect(sent).toEqual(['a', 'b']);
    expect(await db().outbox.toArray()).toMatchObject([{ id: 'a', state: 'parked', reason: 'Too long' }]);
    await retry(db(), 'a');
    expect(await drain(db(), 'chat', send)).toBe('empty');
    expect(await waiting()).toEqual([]);
  });

  it('sends the others before a postponed command, and tries that one with the next drain', async () => {
    for (const id of ['a', 'b', 'c']) await put(id);
    const { sent, send } = sender({ a: [new Postponed(), new Postponed()], c: [new Refused('Too long')] });
    expect(await drain(db(), 'chat', send)).toBe('stopped');
    expect(await drain(db(), 'chat', send)).toBe('stopped');
    expect(sent).toEqual(['a', 'b', 'c', 'a']);
    expect(await waiting()).toEqual(['a waiting', 'c parked']);
    expect(await drain(db(), 'chat', send)).toBe('empty');
    expect(await waiting()).toEqual(['c parked']);
  });

  it('sends once when two drains run at the same time', async () => {
    for (const id of ['a', 'b', 'c']) await put(id);
    const { sent, send } = sender();
    await Promise.all([drain(db(), 'chat', send), drain(db(), 'chat', send)]);
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  it('drains lanes independently', async () => {
    await put('stuck', 'contact');
    await put('a');
    const { sent, send } = sender();
    await drain(db(), 'chat', send);
    expect(sent).toEqual(['a']);
    expect(await waiting()).toEqual(['stuck waiting']);
  });

  it('sends commands that are written while it drains', async () => {
    await put('a');
    const sent: string[] = [];
    await drain(db(), 'chat', async ({ id }) => {
      sent.push(id);
      if (id === 'a') await put('late');
    });
    expect(sent).toEqual(['a', 'late']);
  });
});

it('refuses the same id twice', async () => {
  await put('a');
  await expect(put('a')).rejects.toThrow();
});

it('waits longer after each failure, up to a minute', () => {
  expect([0, 1, 2, 5, 6, 20].map(backoff)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
});
