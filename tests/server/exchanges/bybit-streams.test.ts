import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import type { AccountStream, Exchange } from '#server/ports/exchange/exchange.ts';
import { type BybitServer, startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { refused } from '#tests/support/bots/bybit/faults.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { marketOrder } from '#tests/support/bots/sample-order.ts';

/** The private streams, which say when to look at an account. */
const T0 = Date.UTC(2025, 5, 1);
let server: BybitServer;
let other: BybitServer;
let bybit: Exchange;
const streams: AccountStream[] = [];

/** @param ping when a stream counts as lost that is silent, ms */
const connect = (ping: number): Exchange =>
  createBybit({
    testnet: false,
    urls: [server.url, other.url],
    referral: { code: '77' },
    clock: () => T0,
    budget: freeBudget,
    streams: { dials: freeBudget, patience: { ping, firstRetry: 5, maxRetry: 20 } },
    interval: HOUR,
    report: () => undefined,
    patience: { answer: 5000, limit: 300 },
  });

beforeAll(async () => {
  [server, other] = (await Promise.all([0, 1].map(() => startBybit({ now: () => T0, price: () => 60_000 })))) as [BybitServer, BybitServer];
  bybit = connect(10_000);
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
  server.heal();
});
afterAll(async () => {
  await bybit.close();
  await Promise.all([server.close(), other.close()]);
});

/** Opens an account and watches it. `looks` counts the reported changes. */
async function watch(at = server, secret?: string, exchange = bybit) {
  const key = at.open(randomUUID(), { balance: 10_000 });
  const account = exchange.account({ key: key.key, secret: key.secret }, { userId: '', botId: randomUUID(), capital: 1 });
  await account.prepare(10);
  const told = { looks: 0 };
  const stream = exchange.watch?.({ key: key.key, secret: secret ?? key.secret }, () => void told.looks++) as AccountStream;
  streams.push(stream);
  if (secret === undefined) await vi.waitFor(() => expect(stream.isLive).toBe(true));
  return { account, venue: key.venue, told, stream };
}

test.each([
  ['a stop', (venue: Watched['venue']) => venue.advance({ time: T0, open: 60_000, high: 60_000, low: 58_000, close: 58_000 })],
  ['a close by hand', (venue: Watched['venue']) => venue.byHand.close()],
  ['auto-deleveraging', (venue: Watched['venue']) => venue.deleverage()],
  ['a removed stop', (venue: Watched['venue']) => venue.byHand.removeStop()],
])('%s is reported', async (_what, happen) => {
  const { account, venue, told } = await watch();
  await account.submit(marketOrder());
  happen(venue);
  await vi.waitFor(() => expect(told.looks).toBeGreaterThan(0));
});

test('an order of the bot, an order by hand that rests, and funding are not', async () => {
  const { account, venue, told } = await watch();
  await account.submit(marketOrder());
  venue.byHand.order({ direction: 'buy', type: 'limit', quantity: 0.01, price: 20_000 });
  venue.advance({ time: T0, open: 60_000, high: 60_000, low: 60_000, close: 60_000 }, 0.0001);
  // Messages of one stream arrive in order, so this one comes after those that must not count.
  venue.byHand.close();
  await vi.waitFor(() => expect(told.looks).toBeGreaterThan(0));
  expect(told.looks).toBe(1);
});

test('changed leverage is reported', async () => {
  const { account, venue, told } = await watch();
  venue.byHand.order({ direction: 'buy', type: 'limit', quantity: 0.01, price: 20_000 });
  await account.prepare(20);
  await vi.waitFor(() => expect(told.looks).toBeGreaterThan(0));
});

test('messages in another order, twice, or split report a change all the same', async () => {
  const { account, venue, told } = await watch();
  server.streams.hold();
  await account.submit(marketOrder());
  venue.byHand.close();
  server.streams.release((messages) => [...messages, ...messages].reverse());
  await vi.waitFor(() => expect(told.looks).toBeGreaterThan(1));
});

test('a lost stream is not live, connects again, and then asks for a look at what it missed', async () => {
  const { venue, account, told, stream } = await watch();
  await account.submit(marketOrder());
  server.streams.faults.isDown = true;
  server.streams.cut();
  await vi.waitFor(() => expect(stream.isLive).toBe(false));
  venue.byHand.close();
  server.streams.faults.isDown = false;
  await vi.waitFor(() => expect(stream.isLive).toBe(true));
  expect(told.looks).toBe(1);
});

test('a stream that is silent counts as lost', async () => {
  const impatient = connect(200);
  onTestFinished(() => impatient.close());
  const { stream } = await watch(server, undefined, impatient);
  server.streams.faults.isMute = true;
  await vi.waitFor(() => expect(stream.isLive).toBe(false));
});

test('a wrong secret opens no stream', async () => {
  const before = server.streams.counts.opened;
  const { stream } = await watch(server, 'another');
  await vi.waitFor(() => expect(server.streams.counts.opened).toBeGreaterThan(before + 1));
  expect(stream.isLive).toBe(false);
});

test('a closed stream stays closed', async () => {
  const { stream } = await watch();
  stream.close();
  await vi.waitFor(() => expect(server.streams.open()).toBe(0));
  const { opened } = server.streams.counts;
  await watch();
  expect([server.streams.counts.opened, stream.isLive]).toEqual([opened + 1, false]);
});

test('a key of another site is found there, with its stream', async () => {
  const { account, venue, told } = await watch(other);
  await account.submit(marketOrder());
  expect(venue.position()).toMatchObject({ quantity: 0.05 });
  venue.byHand.close();
  await vi.waitFor(() => expect(told.looks).toBeGreaterThan(0));
});

test('a key that a site turns away because of its region is searched at the others', async () => {
  const name = randomUUID();
  server.open(name);
  const { key, secret, venue } = other.open(name);
  const account = bybit.account({ key, secret }, { userId: '', botId: randomUUID(), capital: 1 });
  server.fail('account/info', refused(10009, 'IP has been banned.'));
  await account.prepare(10);
  expect(venue.leverage()).toBe(10);
  server.fail('account/info', refused(10009, 'IP has been banned.'));
  await account.prepare(12);
  expect(venue.leverage()).toBe(12);
});

test('a key that every site turns away because of its region says so', async () => {
  const { key, secret } = server.open(randomUUID());
  const account = bybit.account({ key, secret }, { userId: '', botId: randomUUID(), capital: 1 });
  server.fail('position/list', refused(10009, 'IP has been banned.'));
  await expect(account.position()).rejects.toMatchObject({ trouble: 'unavailable', code: 10009 });
});

test('a key that no site knows is refused, and searched only once in ten minutes', async () => {
  const account = bybit.account({ key: 'unknown', secret: 'nothing' }, { userId: '', botId: randomUUID(), capital: 1 });
  await expect(account.position()).rejects.toMatchObject({ trouble: 'invalid-key', code: 10003 });
  const { requests } = other.address.counts;
  await expect(account.position()).rejects.toMatchObject({ trouble: 'invalid-key', code: 10003 });
  expect(other.address.counts.requests).toBe(requests);
});

type Watched = Awaited<ReturnType<typeof watch>>;
