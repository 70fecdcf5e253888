import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { type DailyCandles, dailyCandlesAnswer } from '#contract/market/chart-candles.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { coinDays } from '#server/db/schema/market.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { createHistory } from '#server/modules/market/history.ts';
import { createSteppedFeed } from '#server/ports/exchange/paper/stepped-feed.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { coinWith, stillMarket } from '#tests/support/market/market.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const MOON = 4242;
/** A coin that the provider cannot return. */
const UNREACHABLE = 40_002;
const MONDAY = Date.UTC(2026, 4, 11);

let server: TestServer;
/** A user of that server. */
let authorization: string | undefined;
afterEach(async () => {
  authorization = undefined;
  await server.close();
});

/** Creates a market with one coin, whose price and time the test sets. */
function movingMarket() {
  const now = { price: 10 as number | null, time: MONDAY, down: false };
  const { drawn: _, ...recordedMarket } = stillMarket();
  const market: MarketData = {
    ...recordedMarket,
    async snapshot() {
      if (now.down) throw new Error('upstream is down');
      const coins = [coinWith({ id: MOON, usd: { price: now.price } }), coinWith({ id: BITCOIN, usd: { price: 50_000 } })];
      return { source: { name: 'Moon exchange', demo: false, asOf: new Date(now.time).toISOString() }, coins };
    },
    async details(id) {
      if (id === UNREACHABLE) throw new Error('upstream is down');
      return undefined;
    },
    known: () => [{ id: MOON, name: 'Moon', symbol: 'MOON', rank: 1 }],
    btcCandles: async () => undefined,
  };
  return { market, now };
}

async function candlesOf(id: number | string): Promise<Response> {
  authorization ??= (await server.signUp()).authorization;
  return fetch(`${server.url}/api/coin-market/candles/${id}`, { headers: { authorization } });
}
const daily = async (id: number): Promise<DailyCandles> => z.parse(dailyCandlesAnswer, await (await candlesOf(id)).json()).data;

async function expectError(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status);
  expect(z.parse(apiError, await response.json())).toMatchObject({ status, code });
}

describe('the history of a coin', () => {
  test('is written down as it is seen, day by day, and no gap in it is filled', async () => {
    const { market, now } = movingMarket();
    server = await startServer({ market });
    const failures: unknown[] = [];
    const history = createHistory({ db: server.db, market, recordsDemo: true, report: (error) => failures.push(error) });
    const see = async (price: number | null, time: number) => {
      Object.assign(now, { price, time });
      await history.write();
    };
    await see(10, MONDAY);
    await see(12, MONDAY + HOUR);
    await see(7.125, MONDAY + 2 * HOUR);
    await see(9, MONDAY + 23 * HOUR);
    now.down = true;
    await see(1, MONDAY + DAY);
    now.down = false;
    expect(failures).toHaveLength(1);
    await see(null, MONDAY + DAY);
    await see(0.000000012345, MONDAY + 3 * DAY);
    expect(await daily(MOON)).toEqual({
      source: 'Moon exchange, recorded day by day',
      candles: [
        { time: MONDAY, open: 10, high: 12, low: 7.125, close: 9, volume: null },
        {
          time: MONDAY + 3 * DAY,
          open: 0.000000012345,
          high: 0.000000012345,
          low: 0.000000012345,
          close: 0.000000012345,
          volume: null,
        },
      ],
    });
  });

  test('has no day of a clock that was a year ahead once', async () => {
    const { market, now } = movingMarket();
    server = await startServer({ market });
    const history = createHistory({ db: server.db, market, recordsDemo: true, report: (error) => expect.unreachable(String(error)) });
    for (const time of [MONDAY, MONDAY + 365 * DAY]) {
      Object.assign(now, { price: 10, time });
      await history.write();
    }
    now.time = MONDAY + HOUR;
    expect((await daily(MOON)).candles.map(({ time }) => time)).toEqual([MONDAY]);
  });

  test('begins with the start of the server, and is kept for 400 days', async () => {
    const { market } = movingMarket();
    server = await startServer({ market });
    await expect.poll(() => server.db.$count(coinDays)).toBe(2);
    await tidy(server.db, MONDAY + 400 * DAY + HOUR);
    expect(await server.db.$count(coinDays)).toBe(2);
    await tidy(server.db, MONDAY + 401 * DAY);
    expect(await server.db.$count(coinDays)).toBe(0);
  });

  test('of Bitcoin ends at the price on the screen while bots trade it on paper, dated to today', async () => {
    const start = Date.UTC(2026, 4, 1);
    const hours = Array.from({ length: 60 }, (_, hour) => ({
      time: start + hour * HOUR,
      open: 100 + hour,
      high: 102 + hour,
      low: 99 + hour,
      close: 101 + hour,
      volume: 1,
    }));
    const btc = createSteppedFeed(hours, { interval: HOUR, start: 50 });
    server = await startServer({ market: createDemoMarket({ clock: () => MONDAY, seed: 1, tickMs: 5000, btc }) });
    const { source, candles } = await daily(BITCOIN);
    expect(source).toBe('Stepped candles, dated to today');
    // The feed's 50th hour opens now.
    const days = candles.slice(-3);
    expect(days.map(({ time }) => time)).toEqual([MONDAY - 2 * DAY, MONDAY - DAY, MONDAY]);
    expect(days.slice(0, 2)).toMatchObject([
      { open: 102, high: 127, low: 101, close: 126, volume: 24 },
      { open: 126, high: 151, low: 125, close: 150, volume: 24 },
    ]);
  });

  test('is not found for an unknown coin, and empty for one without a provider', async () => {
    const { market } = movingMarket();
    server = await startServer({ market });
    await expectError(await candlesOf(987_654), 404, 'not_found');
    expect((await daily(UNREACHABLE)).candles).toEqual([]);
    for (const id of ['abc', '-1', '1.5', '99999999999']) await expectError(await candlesOf(id), 400, 'validation');
    await expectError(await fetch(`${server.url}/api/coin-market/candles/1`), 401, 'unauthorized');
  });
});
