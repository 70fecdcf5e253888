import Dexie from 'dexie';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitOpening } from '#client/platform/db/await-opening.ts';
import { endTransactionsWithPage } from '#client/platform/db/end-transactions.ts';
import { openExisting } from '#client/platform/db/open-existing.ts';

const heard = vi.fn();
let other: BroadcastChannel;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  other = new BroadcastChannel('opening-database');
  other.onmessage = heard;
});
afterEach(() => {
  other.close();
  vi.useRealTimers();
  heard.mockClear();
});

const request = () => awaitOpening(new EventTarget() as IDBOpenDBRequest);
/** Messages on a channel arrive in order, so what was sent before has arrived. */
const delivered = () =>
  new Promise<void>((resolve) => {
    other.onmessage = ({ data }) => (data === 'last' ? resolve() : heard());
    const last = new BroadcastChannel('opening-database');
    last.postMessage('last');
    last.close();
  });

it('writes to the pages that wait for a database, each second without an answer', async () => {
  const opening = request();
  vi.advanceTimersByTime(999);
  await delivered();
  expect(heard).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1001);
  await delivered();
  expect(heard).toHaveBeenCalledTimes(2);
  opening.dispatchEvent(new Event('success'));
});

it.each(['upgradeneeded', 'success', 'error'])('writes nothing more after %s', async (answer) => {
  const opening = request();
  opening.dispatchEvent(new Event('blocked'));
  opening.dispatchEvent(new Event(answer));
  vi.advanceTimersByTime(5000);
  await delivered();
  expect(heard).not.toHaveBeenCalled();
});

describe('in the app', () => {
  const { open, deleteDatabase } = IDBFactory.prototype;
  const { transaction } = IDBDatabase.prototype;
  beforeEach(() => endTransactionsWithPage());
  afterEach(() => {
    Object.assign(IDBFactory.prototype, { open, deleteDatabase });
    IDBDatabase.prototype.transaction = transaction;
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is opened', () => openExisting('none')],
    ['is deleted', () => Dexie.delete('none')],
  ])('one message each second asks for a database that %s', async (_what, begin) => {
    const answered = begin();
    vi.advanceTimersByTime(1000);
    await delivered();
    expect(heard).toHaveBeenCalledTimes(1);
    await answered;
    vi.advanceTimersByTime(5000);
    await delivered();
    expect(heard).toHaveBeenCalledTimes(1);
  });
});
