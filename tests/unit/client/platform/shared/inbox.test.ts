import { beforeEach, expect, it, vi } from 'vitest';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { sessionState, signIn } from '#client/platform/session/session.ts';
import { signOut } from '#client/platform/session/sign-out.ts';
import { broadcastSignOut } from '#client/platform/session/sign-out-in-other-tabs.ts';
import { deleteShare, putShare, readShare } from '#client/platform/shared/inbox.ts';
import { SHARE_LIFE_MS } from '#contract/share.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';

const share = { id: 'a', text: 'BTCUSDT', picture: new ArrayBuffer(9) };

beforeEach(async () => {
  fakeApi({});
  await signIn(makeTokens({ sub: 'sharing' }), true);
  await putShare({ ...share, receivedAt: Date.now() });
});

it('a sign-out deletes a shared picture that waits on the device', async () => {
  await signOut();
  expect(sessionState().status).toBe('signed-out');
  expect(await readShare(Date.now())).toBeUndefined();
});

it('and deletes it before the session ends, so that a browser killed in between leaves none to the next user', async () => {
  let before: unknown;
  const end = async () => {
    before = { status: sessionState().status, share: await readShare(Date.now()) };
  };
  vi.spyOn(deviceDb, 'transaction').mockImplementationOnce(end as never);
  await signOut();
  expect(before).toEqual({ status: 'signed-in', share: undefined });
});

it('a sign-out is not held up by a device that cannot delete', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const open = vi.spyOn(indexedDB, 'open');
  open.mockImplementationOnce(() => {
    throw new DOMException('broken', 'UnknownError');
  });
  await signOut();
  expect(sessionState().status).toBe('signed-out');
});

it('a page that finds its user gone leaves a share to the visitor who shared it', async () => {
  await import('#client/app/shared/waiting-share.tsx');
  broadcastSignOut('someone-before');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await readShare(Date.now())).toMatchObject({ id: 'a' });
});

it('a share knows whether it replaced one that still waited', async () => {
  const receivedAt = Date.now();
  await putShare({ ...share, id: 'b', receivedAt });
  expect(await readShare(receivedAt)).toMatchObject({ id: 'b', replaces: true });
  const later = receivedAt + SHARE_LIFE_MS;
  await putShare({ ...share, id: 'c', receivedAt: later });
  expect(await readShare(later)).toEqual({ ...share, id: 'c', receivedAt: later });
  await deleteShare();
  await putShare({ ...share, id: 'd', receivedAt });
  expect(await readShare(receivedAt)).toEqual({ ...share, id: 'd', receivedAt });
});

it('a tab that has taken a share does not delete a newer one', async () => {
  await putShare({ ...share, id: 'b', receivedAt: Date.now() });
  await deleteShare('a');
  expect(await readShare(Date.now())).toMatchObject({ id: 'b' });
  await deleteShare('b');
  expect(await readShare(Date.now())).toBeUndefined();
});
