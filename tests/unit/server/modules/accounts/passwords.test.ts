import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from '#server/modules/accounts/passwords.ts';

test('a password matches its own argon2id hash and no other', async () => {
  const hash = await hashPassword('Secret1!');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwordMatches('Secret1!', hash)).toBe(true);
  expect(await passwordMatches('Secret1', hash)).toBe(false);
});

test('without an account the same work is done, and nothing matches', async () => {
  // A hash that could not be read would be refused at once, with an error.
  expect(await passwordMatches('Secret1!', undefined)).toBe(false);
});
