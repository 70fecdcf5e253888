import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { alertOf, alertsOf } from '#tests/support/alerts/alerts.ts';
import { movingMarket } from '#tests/support/market/moving-market.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const market = movingMarket();
let server: TestServer;
let ann: ReturnType<typeof alertsOf>;

beforeAll(async () => {
  market.move({ 1: 90, 2: 50 });
  // No update comes while this test runs.
  server = await startServer({ market, env: { MARKET_TICK_MS: '3600000' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  ann = alertsOf(server, await server.signUp());
});

async function refusal(response: Response): Promise<z.infer<typeof apiError>> {
  const error = z.parse(apiError, await response.json());
  expect(response.status).toBe(error.status);
  return error;
}

describe('an alert', () => {
  test('is stored under the id that the device made, with the names of the market', async () => {
    const id = randomUUID();
    const stored = await ann.add({ note: ' Sell a third ', level_name: 'Resistance', rearms: true }, { id: id.toUpperCase(), seen: 90 });
    expect(stored).toEqual({
      ...alertOf({ note: 'Sell a third', level_name: 'Resistance', rearms: true, coin: { id: 1, name: 'Coin 1', symbol: 'C1' } }),
      id,
      state: 'watching',
      created_at: expect.any(String),
      fired_at: null,
    });
    expect(await ann.list()).toEqual([stored]);
  });

  test('is made once for a key, however often it is sent, and the newest is first', async () => {
    const [id, key] = [randomUUID(), randomUUID()];
    const first = await (await ann.put(alertOf(), { id, key })).json();
    const second = await ann.add({ kind: 'percent', coin: null, percent: -7.5, period: '7d' });
    expect(await (await ann.put(alertOf(), { id, key })).json()).toEqual(first);
    expect((await ann.list()).map((alert) => alert.id)).toEqual([second.id, id]);
  });

  test('is replaced under its id, and keeps its age', async () => {
    const before = await ann.add();
    const after = await ann.add({ kind: 'below', price: 80, coinId: 2 }, { id: before.id });
    expect(after).toMatchObject({ kind: 'below', price: 80, coin: { id: 2 }, created_at: before.created_at });
    expect(await ann.list()).toEqual([after]);
  });

  test('waits for the price to leave a level that the user saw it past', async () => {
    expect(await ann.add({}, { seen: 101 })).toMatchObject({ state: 'waiting' });
    expect(await ann.add({}, { seen: 99 })).toMatchObject({ state: 'watching' });
  });

  test('is paused, resumed and deleted, each as often as it is asked for', async () => {
    const { id } = await ann.add();
    for (const paused of [true, true, false, false, true]) {
      expect((await ann.pause(id, paused)).status).toBe(200);
      expect(await ann.list()).toMatchObject([{ id, paused }]);
    }
    for (let time = 0; time < 2; time++) expect((await ann.remove(id)).status).toBe(200);
    expect(await ann.list()).toEqual([]);
    expect(await refusal(await ann.pause(id, true))).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('comes back under its id after it was deleted', async () => {
    const { id } = await ann.add({ note: 'first' });
    await ann.remove(id);
    await ann.add({ note: 'again' }, { id });
    expect(await ann.list()).toMatchObject([{ id, note: 'again' }]);
  });
});

describe('a user', () => {
  test('has at most 100 alerts, 10 of them for the watchlist, and can still change the last one', async () => {
    const ofAll = { kind: 'percent', coin: null } as const;
    for (let count = 0; count < 10; count++) await ann.add(ofAll);
    expect(await refusal(await ann.put(alertOf(ofAll)))).toMatchObject({ status: 400, code: 'too_many_alerts' });
    const ids = await Promise.all(Array.from({ length: 90 }, async () => (await ann.add()).id));
    const message = 'You have 100 alerts, the maximum. Delete one to add another.';
    expect(await refusal(await ann.put(alertOf()))).toMatchObject({ status: 400, code: 'too_many_alerts', message });
    await ann.add({ price: 77 }, { id: ids[0] ?? '' });
    expect(await ann.list()).toHaveLength(100);
  });

  test('reaches no alerts of another one, not even under the same id', async () => {
    const bob = await server.signUp();
    const { id } = await ann.add({ note: 'only Ann' });
    await alertsOf(server, bob).add({ note: 'only Bob' }, { id });
    const strange = alertsOf(server, { ...bob, user: (await server.signUp()).user });
    const calls = [strange.send(''), strange.send('/history'), strange.put(alertOf()), strange.pause(id, true), strange.remove(id)];
    for (const response of await Promise.all(calls)) expect(response.status).toBe(404);
    expect(await ann.list()).toMatchObject([{ id, note: 'only Ann' }]);
    await alertsOf(server, bob).remove(id);
    expect(await ann.list()).toHaveLength(1);
  });
});

describe('bad input', () => {
  test.each([
    ['a price of zero', { price: 0 }, 'alert.price'],
    ['a negative price', { price: -1 }, 'alert.price'],
    ['a price that is too high', { price: 1e13 }, 'alert.price'],
    ['a price as text', { price: '100' }, 'alert.price'],
    ['a change of less than one percent', { kind: 'percent', percent: 0.5 }, 'alert.percent'],
    ['a fall of everything', { kind: 'percent', percent: -100 }, 'alert.percent'],
    ['a period that the market has no changes for', { kind: 'percent', period: '30d' }, 'alert.period'],
    ['a price for the whole watchlist', { coin: null }, 'alert.coin'],
    ['a long note', { note: 'x'.repeat(201) }, 'alert.note'],
    ['a note of 100 kB', { note: 'x'.repeat(100_000) }, 'alert.note'],
    ['a note with a line break', { note: 'one\ntwo' }, 'alert.note'],
    ['a long name of a level', { level_name: 'x'.repeat(61) }, 'alert.level_name'],
    ['a day without a time', { expires_at: '2026-11-25' }, 'alert.expires_at'],
  ])('%s is refused at its field', async (_, changes, field) => {
    const { status, code, detail } = await refusal(await ann.put(alertOf(changes as Parameters<typeof alertOf>[0])));
    expect({ status, code, fields: Object.keys(detail?.fields ?? {}) }).toEqual({ status: 400, code: 'validation', fields: [field] });
  });

  test('a coin that the market does not know is refused, and an id that is none', async () => {
    expect(await refusal(await ann.put(alertOf({ coinId: 987 })))).toMatchObject({ status: 400, code: 'unknown_coin' });
    expect(await refusal(await ann.put(alertOf(), { id: 'mine' }))).toMatchObject({ status: 400, code: 'validation' });
  });
});
