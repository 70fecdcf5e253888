import { describe, expect, it } from 'vitest';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';

const USER = 'whole-rows';
const archive = { id: 'a', archive_title: 'Staking', created_at: '2026-01-02T00:00:00.000Z' };
const coin = { id: 1, name: 'Bitcoin', symbol: 'BTC', rank: 1, quote: {}, line_7d: [1, 2] };
const list = { key: 'coins/USD/1/100', ids: [1], source: { name: 'Demo', demo: true, asOf: '2026-01-02T00:00:00.000Z' } };

/** Returns how a stored row reads, by its key and in a list. */
async function read(store: 'archives' | 'coins' | 'coinLists', row: object, key: string | number): Promise<unknown> {
  const table = userDb(USER).table(store);
  await table.put(row);
  const one = await table.get(key);
  expect(await table.toArray()).toEqual([one]);
  expect(await table.bulkGet([key, 'unknown'])).toEqual([one, undefined]);
  await deleteUserDb(USER);
  return one;
}

describe('a damaged row reads without its damaged fields', () => {
  it.each([
    [{ archive_title: 5 }, { archive_title: '' }],
    [{ created_at: 5 }, { created_at: '1970-01-01T00:00:00.000Z' }],
    [{ created_at: null }, { created_at: '1970-01-01T00:00:00.000Z' }],
    [
      { preview: {}, preview_of: 'answer' },
      { preview: undefined, preview_of: 'answer' },
    ],
    [{ pinned_at: 5 }, { pinned_at: undefined }],
  ])('a chat with %j', async (damage, whole) => {
    expect(await read('archives', { ...archive, ...damage }, 'a')).toEqual({ ...archive, ...whole });
  });

  it.each([
    [{ name: null }, { name: '' }],
    [{ symbol: 5 }, { symbol: '' }],
    [{ rank: 'first' }, { rank: null }],
    [{ quote: undefined }, { quote: {} }],
    [{ quote: { USD: { price: 'x' } } }, { quote: {} }],
    [{ line_7d: 'no' }, { line_7d: null }],
    [{ line_7d: [1, {}] }, { line_7d: null }],
  ])('a coin with %j', async (damage, whole) => {
    expect(await read('coins', { ...coin, ...damage }, 1)).toEqual({ ...coin, ...whole });
  });

  it.each([
    [{ ids: null }, { ids: [] }],
    [{ source: null }, { source: { name: '', asOf: '1970-01-01T00:00:00.000Z' } }],
  ])('a list with %j', async (damage, whole) => {
    expect(await read('coinLists', { ...list, ...damage }, list.key)).toEqual({ ...list, ...whole });
  });
});

it('reads whole rows as they are', async () => {
  const pinned = { ...archive, pinned_at: null, preview: 'Yes', preview_of: 'answer', preview_own: true };
  const priced = { ...coin, line_7d: null, quote: { USD: { price: 1, market_cap: null } } };
  expect(await read('archives', pinned, 'a')).toEqual(pinned);
  expect(await read('coins', priced, 1)).toEqual(priced);
  expect(await read('coinLists', list, list.key)).toEqual(list);
});
