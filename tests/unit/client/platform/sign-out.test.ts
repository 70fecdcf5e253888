import { afterEach, expect, it, vi } from 'vitest';
import { deviceDb } from '../../../../src/client/platform/db/device-db';
import { userDb } from '../../../../src/client/platform/db/user-db';
import { sessionState, signIn } from '../../../../src/client/platform/session/session';
import { finishSignOuts, signOut } from '../../../../src/client/platform/session/sign-out';
import { makeTokens } from '../../../support/tokens';

const answer = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } }));
const databases = async () => (await indexedDB.databases()).map(({ name }) => name);

async function member(sub: string) {
  await signIn(makeTokens({ sub }), true);
  await userDb(sub).stamps.put({ key: 'mine', savedAt: 1 });
}

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['200', 200, { status: 200, message: 'Logged out.' }],
  ['401', 401, { status: 401, code: 'unauthorized', message: 'No.' }],
  ['403', 403, { status: 403, code: 'session_ended', message: 'No.' }],
])('answered with %s, ends the session and leaves nothing of the user', async (_name, status, body) => {
  answer(status, body);
  await member('leaves');
  await signOut();
  expect(sessionState()).toEqual({ status: 'signed-out', ended: true });
  expect(await deviceDb.session.count()).toBe(0);
  expect(await databases()).not.toContain('tidemark-user-leaves');
  expect(await deviceDb.wipes.count()).toBe(0);
});

it('without an answer, ends nothing', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await member('stays');
  await expect(signOut()).rejects.toThrow('No connection');
  expect(sessionState().status).toBe('signed-in');
  expect(await userDb('stays').stamps.count()).toBe(1);
});

it('cut short, is finished at the next start, and only for the user who signed out', async () => {
  await member('stays');
  await member('cut-short');
  await deviceDb.wipes.put({ userId: 'cut-short' });
  await finishSignOuts();
  expect(await databases()).not.toContain('tidemark-user-cut-short');
  expect(await userDb('stays').stamps.count()).toBe(1);
  expect(await deviceDb.wipes.count()).toBe(0);
});
