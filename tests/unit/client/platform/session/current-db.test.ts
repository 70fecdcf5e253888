import { afterEach, expect, it } from 'vitest';
import { currentDb, holdDb, releaseDb, SignedOutError } from '#client/platform/session/current-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

afterEach(async () => {
  releaseDb();
  await endSession();
});

it('opens the database once it is released', async () => {
  await signIn(makeTokens({ sub: 'waits' }), true);
  holdDb();
  let isOpen = false;
  const opening = currentDb('waits').then((db) => {
    isOpen = true;
    return db;
  });
  await new Promise((resolve) => setTimeout(resolve));
  expect(isOpen).toBe(false);
  releaseDb();
  expect((await opening).name).toBe('tidemark-user-waits');
});

it('never opens the database of a user who has signed out meanwhile', async () => {
  await signIn(makeTokens({ sub: 'left' }), true);
  holdDb();
  const opening = currentDb('left');
  await endSession();
  await signIn(makeTokens({ sub: 'next' }), true);
  releaseDb();
  await expect(opening).rejects.toBeInstanceOf(SignedOutError);
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('tidemark-user-left');
});
