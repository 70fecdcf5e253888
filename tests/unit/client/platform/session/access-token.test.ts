import { describe, expect, test } from 'vitest';
import { claimsOf, isFresh } from '#client/platform/session/access-token.ts';

const tokenOf = (text: string) => `e30.${Buffer.from(text).toString('base64url')}.signature`;

test('an access token is fresh until 30 seconds before it expires', () => {
  expect(isFresh(131, 100_000)).toBe(true);
  expect(isFresh(130, 100_000)).toBe(false);
});

describe('the claims of an access token', () => {
  test.each(['Ada', 'José', 'İpek ✓', '张伟', '👩‍🚀'])('have names in any script: %s', (name) => {
    expect(claimsOf(tokenOf(JSON.stringify({ sub: 'user-1', first_name: name, exp: 7 })))).toEqual({
      sub: 'user-1',
      first_name: name,
      exp: 7,
    });
  });

  test.each(['', 'no token', 'a.b', 'a.%%%.c', tokenOf('{'), tokenOf('')])('cannot be read from %j', (text) => {
    expect(() => claimsOf(text)).toThrow();
  });
});
