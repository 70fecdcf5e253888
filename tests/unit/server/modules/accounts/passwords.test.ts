import { availableParallelism } from 'node:os';
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

test('one password less than there are cores is hashed at a time, 200 wait, and further ones are refused', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 500 }, () => passwordMatches('Secret1!', 'not a hash')));
  const refused = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'busy');
  const accepted = Math.max(1, availableParallelism() - 1) + 200;
  expect(refused).toEqual([...Array(accepted).fill(false), ...Array(500 - accepted).fill(true)]);
  expect(outcomes.at(-1)).toMatchObject({ reason: { status: 503 } });
  expect(await passwordMatches('Secret1!', await hashPassword('Secret1!'))).toBe(true);
});
