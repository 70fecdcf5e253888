import { describe, expect, test } from 'vitest';
import { troubleOf } from '#server/ports/exchange/bybit/trouble.ts';

describe('the meaning of Bybit’s codes', () => {
  test.each([
    [10003, 'invalid-key'],
    [10004, 'invalid-key'],
    [33004, 'invalid-key'],
    [10005, 'permission'],
    [10010, 'address'],
    [10002, 'clock'],
    [10006, 'rate-limit'],
    [10018, 'rate-limit'],
    [429, 'rate-limit'],
    [-1, 'clock'],
    [10009, 'unavailable'],
    [10032, 'rejected'],
    [110007, 'funds'],
    [110072, 'duplicate'],
  ] as const)('%i: %s, whatever was asked', (code, trouble) => {
    expect(troubleOf(code, true)).toMatchObject({ trouble, code });
    expect(troubleOf(code, false)).toMatchObject({ trouble, code });
  });

  test('an unknown code rejects a write and fails a read, and stays in the error', () => {
    expect(troubleOf(179_999, true)).toMatchObject({ trouble: 'rejected', code: 179_999 });
    expect(troubleOf(179_999, false)).toMatchObject({ trouble: 'unavailable', code: 179_999 });
    expect(troubleOf(179_999, true).message).toBe('The exchange refused the request. (code 179999)');
  });

  test.each([10_016, 3_400_214])('a server that does not know the outcome leaves a write unclear (%i)', (code) => {
    expect(troubleOf(code, true)).toMatchObject({ trouble: 'unclear', code });
    expect(troubleOf(code, false)).toMatchObject({ trouble: 'unavailable' });
  });
});
