import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dropResults, readAhead } from '#client/platform/cache/read-ahead.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { holdDb, releaseDb } from '#client/platform/session/current-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const USER = 'ahead';
const count = { key: 'count', query: (db: UserDb) => db.drafts.count() };
let seen: unknown[] = [];

function Count() {
  const result = useUserLive(count.key, count.query);
  seen.push(result);
  return <p>{result ?? 'nothing'}</p>;
}
/** Its own read never ends. */
function Waiting() {
  return <p>{useUserLive<number>('count', () => new Promise(() => {})) ?? 'nothing'}</p>;
}
/** A read that finds what `resolve` gets. */
function readUnderWay(prepare = (_found: unknown) => {}) {
  let resolve = (_count: number): void => {};
  const found = new Promise<number>((settle) => {
    resolve = settle;
  });
  return { reading: readAhead(USER, [{ key: 'count', query: () => found, prepare }]), resolve };
}
const shown = () => screen.getByRole('paragraph').textContent;

beforeEach(async () => {
  seen = [];
  await signIn(makeTokens({ sub: USER }), true);
  await userDb(USER).drafts.clear();
  await userDb(USER).drafts.put({ key: 'new', text: 'Hello', imageId: null, editing: null });
});

afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  dropResults();
  releaseDb();
  await endSession();
});

it('makes the first render complete, and later changes still show', async () => {
  await readAhead(USER, [count]);
  render(<Count />);
  expect(seen[0]).toBe(1);
  await userDb(USER).drafts.put({ key: 'other', text: 'Bye', imageId: null, editing: null });
  await waitFor(() => expect(shown()).toBe('2'));
});

it('shows what a read that is under way finds, before the page has read by itself', async () => {
  const { reading, resolve } = readUnderWay();
  render(<Waiting />);
  resolve(7);
  await waitFor(() => expect(shown()).toBe('7'));
  await reading;
});

it('does not show what a read finds that began before a change of the device', async () => {
  const { reading, resolve } = readUnderWay();
  render(<Waiting />);
  dropResults();
  resolve(7);
  await reading;
  expect(shown()).toBe('nothing');
});

it('prepares the result of a read, unless the user has signed out meanwhile', async () => {
  const prepare = vi.fn();
  const early = readUnderWay(prepare);
  early.resolve(7);
  await early.reading;
  expect(prepare.mock.calls).toEqual([[7]]);
  const late = readUnderWay(prepare);
  await endSession();
  late.resolve(8);
  await late.reading;
  expect(prepare).toHaveBeenCalledTimes(1);
});

it('is forgotten after the first screen', async () => {
  await readAhead(USER, [count]);
  dropResults();
  render(<Count />);
  expect(seen[0]).toBeUndefined();
  await waitFor(() => expect(shown()).toBe('1'));
});

it('never shows the result of another user', async () => {
  await readAhead(USER, [count]);
  await signIn(makeTokens({ sub: 'other' }), true);
  render(<Count />);
  expect(seen[0]).toBeUndefined();
});

it('does not keep the first render waiting for a storage that does not answer, or that fails', async () => {
  await readAhead(USER, [{ key: 'broken', query: () => Promise.reject(new Error('broken')) }]);
  vi.useFakeTimers();
  holdDb();
  const waiting = readAhead(USER, [count]);
  await vi.advanceTimersByTimeAsync(4_000);
  await waiting;
});
