import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from '#server/modules/accounts/passwords.ts';

test('a password matches its own argon2id hash and no other', async () => {
  const hash = await hashPassword('Secret1!');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwordMatches('Secret1!', hash)).toBe(true);
  expect(await passwordMatches('Secret1', hash)).toBe(false);
});

test('without an account, a password costs the same work and does not match', async () => {
  // A malformed hash would fail at once with an error.
  expect(await passwordMatches('Secret1!', undefined)).toBe(false);
});
