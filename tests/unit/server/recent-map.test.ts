import { describe, expect, it } from 'vitest';
import { createRecentMap } from '#server/recent-map.ts';

describe('a recent map', () => {
  it('keeps the entries that were read or set last', () => {
    const map = createRecentMap<number, string>(10);
    map.set(0, 'in use');
    for (let key = 1; key <= 1000; key++) {
      map.set(key, 'new');
      expect(map.get(0)).toBe('in use');
      expect(map.entries().length).toBeLessThanOrEqual(10);
    }
    expect([1000, 999, 998, 997].map((key) => map.get(key))).toEqual(Array(4).fill('new'));
    expect(map.get(980)).toBeUndefined();
  });

  it('has each key once, with its last value', () => {
    const map = createRecentMap<string, number>(4);
    for (const [value, key] of ['a', 'b', 'c', 'a'].entries()) map.set(key, value);
    expect(map.entries().sort()).toEqual([
      ['a', 3],
      ['b', 1],
      ['c', 2],
    ]);
    for (const key of ['a', 'b']) map.delete(key);
    expect(map.entries()).toEqual([['c', 2]]);
    expect(map.get('a')).toBeUndefined();
  });

  it('forgets on request what was not used since the last request', () => {
    const map = createRecentMap<string, number>(10);
    for (const key of ['idle', 'read', 'set']) map.set(key, 0);
    map.forgetUnused();
    map.get('read');
    map.set('set', 1);
    map.forgetUnused();
    expect(map.entries().sort()).toEqual([
      ['read', 0],
      ['set', 1],
    ]);
  });
});
