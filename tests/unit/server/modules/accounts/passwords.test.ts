import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { hashPassword, passwordMatches } from '#server/modules/accounts/passwords.ts';

/** While `isHeld`, argon2 works until the test says so. */
const argon2 = vi.hoisted(() => ({ isHeld: false, running: 0, most: 0, done: 0, waiting: [] as (() => void)[] }));

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof import('@node-rs/argon2')>();
  async function hold(): Promise<void> {
    argon2.most = Math.max(argon2.most, ++argon2.running);
    await new Promise<void>((resolve) => argon2.waiting.push(resolve));
    argon2.running--;
    argon2.done++;
  }
  return {
    hash: (password: string) => (argon2.isHeld ? hold() : original.hash(password)),
    verify: (hash: string, password: string) => (argon2.isHeld ? hold() : original.verify(hash, password)),
  };
});

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

test('passwords leave a core free, wait for each other, and are refused when too many wait', async () => {
  argon2.isHeld = true;
  const work = [() => hashPassword('Secret1!'), () => passwordMatches('Secret1!', 'hash')];
  const all = Promise.allSettled(Array.from({ length: 500 }, (_, index) => work[index % 2]?.()));
  const accepted = 200 + argon2.running;
  while (argon2.done < accepted) {
    argon2.waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  argon2.isHeld = false;
  const outcomes = await all;
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(accepted).fill('fulfilled'), ...Array(500 - accepted).fill('rejected')]);
  expect(outcomes.at(-1)).toMatchObject({ reason: { status: 503, code: 'busy' } });
  expect(argon2.most).toBe(Math.max(1, availableParallelism() - 1));
  expect(await passwordMatches('Secret1!', await hashPassword('Secret1!'))).toBe(true);
});
