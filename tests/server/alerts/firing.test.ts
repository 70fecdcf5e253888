import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { alertsOf } from '#tests/support/alerts/alerts.ts';
import { movingMarket } from '#tests/support/market/moving-market.ts';
import { connect, next } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** Half an hour past an hour, so that the current candle is there in part. */
const START = Date.UTC(2026, 10, 25, 12, 30);

let shift = 0;
/** The price of coin 1 before a move. */
let shown = 90;
const began = Date.now();
const clock = () => START + (Date.now() - began) + shift;
const market = movingMarket(clock);
let server: TestServer;
let user: SignedUp;
let ann: ReturnType<typeof alertsOf>;
/** Another user, whose alerts tell that a price was checked. */
let bob: SignedUp;
let witness: ReturnType<typeof alertsOf>;

beforeAll(async () => {
  market.move({ 1: 90, 2: 50, 3: 7 });
  server = await startServer({ market, clock, env: { MARKET_TICK_MS: '100' } });
  bob = await server.signUp();
  witness = alertsOf(server, bob);
});
afterAll(() => server.close());
beforeEach(async () => {
  const quiet = { percent_change_1h: 0, percent_change_24h: 1 };
  market.move({ 1: { price: 90, ...quiet }, 2: { price: 50, ...quiet }, 3: { price: 7, ...quiet } });
  shown = 90;
  user = await server.signUp();
  ann = alertsOf(server, user);
});
afterEach(() => {
  market.loseHistory(false);
});

const heart = (cryptoId: number, actionType: 1 | 2) =>
  server.post(
    '/watchlist',
    { userId: user.user.id, cryptoId, cryptoSymbol: '', cryptoName: '', actionType },
    { authorization: user.authorization },
  );

/** Moves coin 1 and waits until the price is checked. */
async function moveTo(price: number, figures: object = {}) {
  const { id } = await witness.add({ kind: price > shown ? 'above' : 'below', price }, { seen: shown });
  shown = price;
  market.move({ 1: { price, percent_change_1h: 0, percent_change_24h: 1, ...figures } });
  await vi.waitFor(async () => expect((await witness.history()).map(({ alert_id }) => alert_id)).toContain(id));
  await witness.remove(id);
}

const prices = async () => (await ann.history()).map(({ price }) => price);

describe('a crossing', () => {
  test('fires once, keeps price, time and source, and tells the user on every device', async () => {
    const socket = await connect(server.url, user.tokens.accessToken);
    const told = next(socket, 'notification');
    const { id } = await ann.add({ note: 'Sell a third', level_name: 'Resistance' }, { seen: 90 });
    await moveTo(101.5);
    await moveTo(103);
    expect(await told).toMatchObject({ kind: 'alert' });
    socket.disconnect();
    const [firing, ...others] = await ann.history();
    expect(others).toEqual([]);
    expect(firing).toMatchObject({ alert_id: id, kind: 'above', coin: { id: 1, name: 'Coin 1', symbol: 'C1' }, level: 100, price: 101.5 });
    expect(firing).toMatchObject({ level_name: 'Resistance', note: 'Sell a third', change: null, source: 'A moving market' });
    expect(Math.abs(Date.parse(firing?.at ?? '') - clock())).toBeLessThan(MINUTE);
    expect(await ann.notifications()).toMatchObject([
      {
        notification_text: 'C1 rose to $101.50. Your alert: above Resistance, $100.00. Sell a third',
        link: `/crypto/details/1?alert=${firing?.id}`,
        read: false,
      },
    ]);
    expect(await ann.list()).toMatchObject([{ id, state: 'done', fired_at: expect.any(String) }]);
  });

  test('fires again only after the price has left the level', async () => {
    await ann.add({ rearms: true }, { seen: 90 });
    for (const price of [100, 99.6, 101, 99.5, 100, 102]) await moveTo(price);
    expect(await prices()).toEqual([100, 100]);
  });

  test('does not fire for a level that the price was past when the alert was made', async () => {
    await moveTo(105);
    const { id } = await ann.add();
    await moveTo(106);
    expect(await ann.list()).toMatchObject([{ id, state: 'waiting' }]);
    await moveTo(95);
    await moveTo(101);
    expect(await prices()).toEqual([101]);
  });

  test('that happened before the server knew of the alert fires at once', async () => {
    await moveTo(104);
    await ann.add({ note: 'made offline' }, { seen: 98 });
    await vi.waitFor(async () => expect(await prices()).toEqual([104]));
  });

  test('of an expired or paused alert does not fire, and resuming does not make up for it', async () => {
    await ann.add({ expires_at: new Date(clock() - 1000).toISOString() }, { seen: 90 });
    const { id } = await ann.add({ note: 'paused' }, { seen: 90 });
    await ann.pause(id, true);
    await moveTo(101);
    await ann.pause(id, false);
    await moveTo(102);
    expect(await ann.history()).toEqual([]);
    await moveTo(95);
    await moveTo(103);
    expect(await ann.history()).toMatchObject([{ note: 'paused', price: 103 }]);
  });

  test('stays in the history when its alert is changed or deleted', async () => {
    const { id } = await ann.add({}, { seen: 90 });
    await moveTo(101);
    await ann.add({ price: 500, note: 'changed' }, { id, seen: 101 });
    await ann.remove(id);
    expect(await ann.history()).toMatchObject([{ alert_id: id, level: 100, note: '' }]);
  });
});

describe('a change in a period', () => {
  test('fires at the percentage, on its side', async () => {
    await ann.add({ kind: 'percent', percent: 5, period: '1h', note: 'rise' }, { seen: 0 });
    await ann.add({ kind: 'percent', percent: -5, period: '24h', note: 'fall' }, { seen: 1 });
    await moveTo(91, { percent_change_1h: -6, percent_change_24h: 7 });
    expect(await ann.history()).toEqual([]);
    await moveTo(92, { percent_change_1h: 5.25, percent_change_24h: -5 });
    expect((await ann.history()).toSorted((a, b) => (a.note < b.note ? -1 : 1))).toMatchObject([
      { note: 'fall', change: -5, price: 92, period: '24h' },
      { note: 'rise', change: 5.25, price: 92, period: '1h' },
    ]);
    const texts = (await ann.notifications()).map(({ notification_text }) => notification_text);
    expect(texts.toSorted()).toEqual(['C1 fell 5.00% in 24h, to $92.00. fall', 'C1 rose 5.25% in 1h, to $92.00. rise']);
  });

  test('of the whole watchlist fires for each coin on it, also one added later, and for none removed', async () => {
    await heart(2, 1);
    await heart(3, 1);
    await ann.add({ kind: 'percent', coin: null, percent: 10, period: '24h' });
    await heart(1, 1);
    await heart(3, 2);
    await moveTo(90.5);
    market.move({ 2: { price: 55, percent_change_24h: 11 }, 3: { price: 8, percent_change_24h: 14 } });
    await moveTo(99, { percent_change_24h: 10 });
    await moveTo(99.5, { percent_change_24h: 10.5 });
    const fired = (await ann.history()).map(({ coin, change }) => [coin.name, change]);
    expect(fired.toSorted()).toEqual([
      ['Coin 1', 10],
      ['Coin 2', 11],
    ]);
  });
});

describe('a gap in the updates', () => {
  /** Lets time pass without an update, and signs in again. */
  async function pass(span: number) {
    shift += span;
    ann = await signIn(user);
    witness = await signIn(bob);
  }

  async function signIn(who: SignedUp) {
    const response = await server.post('/auth/login/', { email: who.user.email, password: who.password });
    const { data } = z.parse(tokensAnswer, await response.json());
    return alertsOf(server, { ...who, authorization: `Bearer ${data.accessToken}` });
  }

  test('misses no crossing that the candles show, and takes no price of before it', async () => {
    await ann.add({ note: 'in the gap' }, { seen: 90 });
    await ann.add({ note: 'before the gap', price: 120 }, { seen: 90 });
    await moveTo(91);
    market.loseHistory(true);
    market.move({ 1: 92 });
    await pass(2 * HOUR);
    market.remember(1, [
      [90, 200, 80, 90],
      [90, 119, 89, 90],
      [90, 104, 88, 92],
      [92, 95, 90, 92],
    ]);
    market.loseHistory(false);
    await vi.waitFor(async () => expect(await ann.history()).toHaveLength(1));
    const source = expect.stringMatching(/^An exchange, hour of \d\d:00 UTC$/);
    expect(await ann.history()).toMatchObject([{ note: 'in the gap', price: 104, source }]);
  });

  test('stays open until the candles can be read, and current prices count at once', async () => {
    await ann.add({ kind: 'below', price: 60, note: 'later' }, { seen: 90 });
    await ann.add({ kind: 'below', price: 88, note: 'at once' }, { seen: 90 });
    await moveTo(91);
    market.loseHistory(true);
    await pass(2 * HOUR);
    await moveTo(85);
    await vi.waitFor(async () => expect(await ann.history()).toMatchObject([{ note: 'at once', price: 85 }]));
    market.remember(1, [
      [91, 92, 90, 91],
      [91, 92, 58, 91],
      [91, 92, 85, 85],
    ]);
    market.loseHistory(false);
    await vi.waitFor(async () => expect(await ann.history()).toMatchObject([{ note: 'later', price: 58 }, { note: 'at once' }]));
  });

  test('ends with the current price where no market has candles', async () => {
    await ann.add({ coinId: 2, price: 60 }, { seen: 50 });
    await ann.add({ coinId: 2, price: 70, rearms: true }, { seen: 50 });
    await pass(3 * HOUR);
    market.move({ 2: 61 });
    await vi.waitFor(async () => expect(await prices()).toEqual([61]));
    market.move({ 2: 71 });
    await vi.waitFor(async () => expect(await prices()).toEqual([71, 61]));
  });

  test('is none when the clock is set back: current prices count', async () => {
    await ann.add({}, { seen: 90 });
    await moveTo(91);
    await pass(-5 * HOUR);
    market.move({ 1: 101 });
    await vi.waitFor(async () => expect(await prices()).toEqual([101]));
  });
});

test('a watch that cannot be stored loses its crossing to no other one, and fires once it can be', async () => {
  await ann.add({ note: 'refused' }, { seen: 90 });
  await server.db.execute(`alter table alert_firings add constraint refused check (note <> 'refused')`);
  await moveTo(101);
  expect([await ann.history(), await ann.notifications()]).toEqual([[], []]);
  await server.db.execute('alter table alert_firings drop constraint refused');
  await moveTo(102);
  expect([await ann.history(), await ann.notifications()]).toMatchObject([[{ note: 'refused' }], [{ kind: 'alert' }]]);
});
