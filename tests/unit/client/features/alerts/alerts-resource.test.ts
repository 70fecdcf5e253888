import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ALERTS, type AlertCommand } from '#client/features/alerts/alert-commands.ts';
import { type AlertsData, alertsResource } from '#client/features/alerts/alerts-resource.ts';
import { deleteAlert, pauseAlert, putAlert, restoreAlert } from '#client/features/alerts/change-alerts.ts';
import { sendAlert } from '#client/features/alerts/send-alerts.ts';
import { load } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Alert } from '#contract/alerts/alert.ts';
import { DAY } from '#domain/clock.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { storedAlert } from '#tests/support/alerts/stored-alert.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

let users = 0;
let userId: string;
const db = () => userDb(userId);
const read = async () => (await alertsResource.read(db(), { userId }, true)) as AlertsData;
const shown = async () => (await read()).alerts.map(({ id, paused, isUnsent }) => ({ id, paused, isUnsent }));
const drain = () => drainLane(db(), { name: ALERTS, send: (base, command) => sendAlert(base, command as AlertCommand) });
const listed = (...alerts: Alert[]) => ({ [`GET /api/alerts/${userId}`]: { status: 200, body: { status: 200, data: alerts } } });
const done = { status: 200, body: { status: 200, message: 'Done.' } };
const first = storedAlert({ id: '00000000-0000-4000-8000-000000000001' });

beforeEach(async () => {
  users += 1;
  userId = `alerts-${users}`;
  await signIn(makeTokens({ sub: userId }), true);
});
afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
});

describe('changes that wait', () => {
  test('show at once over what the server has, and are marked', async () => {
    fakeApi(listed(first));
    await load(db(), alertsResource, { userId });
    await pauseAlert(db(), userId, first, true);
    const { id: _id, state: _state, created_at: _created, fired_at: _fired, ...form } = first;
    await putAlert(db(), userId, { id: '00000000-0000-4000-8000-000000000002', alert: { ...form, note: 'new' }, seen: 90 });
    expect(await shown()).toEqual([
      { id: '00000000-0000-4000-8000-000000000002', paused: false, isUnsent: true },
      { id: first.id, paused: true, isUnsent: true },
    ]);
    await deleteAlert(db(), userId, first);
    expect((await shown()).map(({ id }) => id)).toEqual(['00000000-0000-4000-8000-000000000002']);
    expect(await db().alerts.toArray()).toEqual([first]);
  });

  test('are sent once each, in order, and then show as the server has them', async () => {
    const { id: _id, state: _state, created_at: _created, fired_at: _fired, ...form } = first;
    await putAlert(db(), userId, { id: first.id, alert: form, seen: 90 });
    await pauseAlert(db(), userId, first, true);
    const asked = fakeApi({
      [`PUT /api/alerts/${userId}/${first.id}`]: { status: 200, body: { status: 200, data: first } },
      [`POST /api/alerts/${userId}/${first.id}/pause`]: done,
    });
    expect(await drain()).toBe('empty');
    expect(asked.map(({ body }) => body)).toEqual([{ alert: form, seen: 90 }, { paused: true }]);
    expect(await shown()).toEqual([{ id: first.id, paused: true, isUnsent: false }]);
    await deleteAlert(db(), userId, first);
    fakeApi({ [`DELETE /api/alerts/${userId}/${first.id}`]: done });
    await drain();
    expect(await shown()).toEqual([]);
  });

  test('sent on a day on which the clock was ahead do not keep later answers away', async () => {
    await signIn(makeTokens({ sub: userId, exp: 2_000_000_000 }), true);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + DAY);
    await pauseAlert(db(), userId, first, true);
    fakeApi({ [`POST /api/alerts/${userId}/${first.id}/pause`]: done });
    expect(await drain()).toBe('empty');
    vi.mocked(Date.now).mockRestore();
    fakeApi(listed(first));
    await load(db(), alertsResource, { userId });
    expect(await db().alerts.toArray()).toEqual([first]);
  });

  test('stay until the server is reachable, and are parked with its reason if it refuses them', async () => {
    await pauseAlert(db(), userId, first, true);
    fakeApi({});
    expect(await drain()).toBe('stopped');
    fakeApi({ [`POST /api/alerts/${userId}/${first.id}/pause`]: refusal(404, 'This alert does not exist.') });
    expect(await drain()).toBe('empty');
    expect((await read()).refused).toMatchObject([{ reason: 'This alert does not exist.', body: { title: 'BTC: Above $100.00' } }]);
    await deleteAlert(db(), userId, first);
    expect((await read()).refused).toEqual([]);
  });
});

test('a list that was asked for before a change was sent does not undo it', async () => {
  fakeApi(listed(first));
  const wire = await alertsResource.fetch({ userId });
  await deleteAlert(db(), userId, first);
  fakeApi({ [`DELETE /api/alerts/${userId}/${first.id}`]: done });
  await drain();
  await db().transaction('rw', db().tables, () => alertsResource.write(db(), { userId }, wire));
  expect(await shown()).toEqual([]);
});

test('a deleted alert that had fired comes back paused', async () => {
  await restoreAlert(db(), userId, storedAlert({ state: 'done', fired_at: '2026-11-25T12:00:00.000Z' }));
  expect(await shown()).toMatchObject([{ paused: true }]);
});
