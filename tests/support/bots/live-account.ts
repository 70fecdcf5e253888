/** Behavior that tests demand of an account at every live exchange, through its adapter. */
import { expect } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Exchange, ExchangeAccount, ExchangeFill } from '#server/ports/exchange/exchange.ts';
import type { BotAnswer, botCaller } from './bots.ts';
import { type Fault, longText } from './bybit/faults.ts';
import type { Venue } from './bybit/venue.ts';
import { marketOrder } from './sample-order.ts';

/** Price and time of a fake exchange at the start of a test. */
export const PRICE = 60_000;
export const T0 = Date.UTC(2025, 5, 1);

/** An account that is set up, beside what the fake exchange knows about it. */
interface Ready {
  venue: Venue;
  account: ExchangeAccount;
}

/** The time of a fake exchange. */
interface Time {
  now: () => number;
  wait: (ms: number) => void;
}

/** Returns the trouble of a call with the exchange's code, or `none`. */
export const troubleOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    ({ trouble, code }) => (code === undefined ? trouble : `${trouble} ${code}`),
  );

/** Returns the hour's candle of a price that rises by 1 USD an hour. */
export function risingCandle(hour: number): Candle {
  const close = PRICE + hour;
  return { time: T0 + hour * HOUR, open: close - 1, high: close, low: close - 1, close, volume: 1 };
}

/** Returns the last 1,500 hours' candles of a price that never moves. */
export function stillCandles(): Candle[] {
  const hour = Math.floor(Date.now() / HOUR);
  const flat = { open: PRICE, high: PRICE, low: PRICE, close: PRICE, volume: 1 };
  return Array.from({ length: 1500 }, (_, index) => ({ time: (hour - 1499 + index) * HOUR, ...flat }));
}

/** Expects the position of a sample order after the price has risen to 61,000 USD. */
export async function expectPosition({ venue, account }: Ready): Promise<void> {
  const { equity, position, openOrders } = await account.snapshot();
  expect(position).toMatchObject({ side: 'long', quantity: 0.05, stop: 59_000, target: 63_000, markPrice: 61_000, leverage: 10 });
  expect(position?.liquidationPrice).toBeLessThan(59_000);
  expect(equity).toBeCloseTo(venue.equity(), 6);
  expect(openOrders).toEqual([]);
}

/** Expects that the adapter lists and cancels its own order, and neither lists nor cancels the owner's. */
export async function expectOwnOrders({ venue, account }: Ready): Promise<void> {
  const own = venue.byHand.order({ direction: 'buy', type: 'limit', quantity: 0.01, price: 40_000, orderLinkId: 'mine' });
  const given = marketOrder({ type: 'limit', price: 50_000 });
  const { stop: _, target: __, ...bare } = given;
  await account.submit(bare);
  expect(await account.snapshot()).toMatchObject({ openOrders: [{ clientId: given.clientId, state: 'open', type: 'limit' }] });
  await account.cancel(given.clientId);
  await account.cancel(given.clientId);
  expect((await account.snapshot()).openOrders).toEqual([]);
  expect(await troubleOf(account.cancel('mine'))).toBe('rejected');
  expect(own.status).toBe('New');
}

/** Expects the executions of a position: entry, funding, a partial close by hand, and the stop. */
export async function expectExecutions({ venue, account }: Ready, { now, wait }: Time): Promise<void> {
  const given = marketOrder();
  const since = now();
  await account.submit(given);
  wait(HOUR);
  venue.advance({ time: now(), open: PRICE, high: PRICE, low: PRICE, close: PRICE }, 0.0001);
  venue.byHand.close(0.02);
  wait(HOUR);
  venue.advance({ time: now(), open: PRICE, high: PRICE, low: 58_000, close: 58_000 });
  const fills = await account.fills(since);
  expect(fills.map(({ reason, direction, quantity, clientId }) => [reason, direction, quantity, clientId])).toEqual([
    ['order', 'buy', 0.05, given.clientId],
    ['funding', expect.anything(), 0.05, null],
    ['order', 'sell', 0.02, null],
    ['stop', 'sell', 0.03, null],
  ]);
  const earned = fills.reduce((sum, { realised, fee }) => sum + realised - fee, 0);
  expect(earned).toBeCloseTo(venue.balance() - 10_000, 2);
}

/** Trades ten times a day for a month: 300 executions. */
export function tradeForMonth(venue: Venue, wait: Time['wait']): void {
  for (let day = 0; day < 30; day++) {
    for (let piece = 0; piece < 5; piece++) {
      venue.byHand.order({ direction: 'buy', type: 'market', quantity: 0.001 });
      venue.byHand.close();
    }
    wait(DAY);
  }
}

/** Expects the executions of `tradeForMonth`, each once, oldest first. */
export function expectMonth(fills: readonly ExchangeFill[]): void {
  expect(fills).toHaveLength(300);
  expect(new Set(fills.map(({ id }) => id)).size).toBe(300);
  expect(fills.map(({ at }) => at)).toEqual(fills.map(({ at }) => at).sort((a, b) => a - b));
}

/**
 * Expects cautious margins after a first answer that is wrong, one report of it, and the exchange's own an hour later.
 * @param open opens an exchange whose first answer about margins is wrong; `report` receives its failures
 */
export async function expectCautiousMargins(open: (report: (failure: unknown) => void) => Exchange, wait: Time['wait']): Promise<void> {
  const failures: unknown[] = [];
  const fresh = open((failure) => void failures.push(failure));
  expect((await fresh.terms()).tiers).toEqual([{ value: 1_000_000, quantity: Number.POSITIVE_INFINITY, maintenance: 0.01 }]);
  expect(failures).toHaveLength(1);
  wait(HOUR);
  expect((await fresh.terms()).tiers).toHaveLength(2);
  await fresh.close();
}

/** Expects that no text of 100 kB in an answer gets through the adapter: it counts as no answer, or nothing reads it. */
export async function expectShortAnswers(fail: (fault: Fault) => void, call: () => Promise<unknown>): Promise<void> {
  let isLast = false;
  for (let place = 0; !isLast; place++) {
    const end = () => {
      isLast = true;
    };
    fail(longText(place, end));
    const told = await call().catch(() => null);
    expect(JSON.stringify(told ?? null).length).toBeLessThan(10_000);
  }
}

/** Expects that an answer refuses a bot with a code and a message, and that the caller has no bot. */
export async function expectNoBot(
  call: ReturnType<typeof botCaller>,
  { status, body }: BotAnswer,
  { code, message }: { code: number | string | undefined; message: string },
): Promise<void> {
  expect(status).toBe(400);
  expect(body.detail?.code).toBe(code);
  expect(JSON.stringify(body)).toContain(message);
  expect((await call('GET', '/trading-bots')).body.data).toEqual([]);
}
