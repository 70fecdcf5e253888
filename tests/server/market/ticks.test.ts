import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type CoinTicks, coinTicks } from '#contract/market/coin-ticks.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { WEDNESDAY } from '#tests/support/market/market.ts';
import { connect, next, type TestSocket } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const [DOGECOIN, ETHEREUM] = [74, 1027];
/** Update interval of the demo market, and polling interval, ms. */
const TICK = 5000;
const LOOK = 100;

let server: TestServer;
let ann: SignedUp;
let time = WEDNESDAY;
let calls = 0;
let down = false;
const sockets: TestSocket[] = [];

/** The demo market with a test-controlled clock and counted calls. */
function countedMarket(): MarketData {
  const demo = createDemoMarket({ clock: () => time, seed: 1, tickMs: TICK });
  return {
    ...demo,
    async snapshot() {
      calls++;
      if (down) throw new Error('upstream is down');
      return demo.snapshot();
    },
  };
}

beforeAll(async () => {
  server = await startServer({ market: countedMarket(), env: { MARKET_TICK_MS: String(LOOK) } });
});
afterAll(() => server.close());
beforeEach(async () => {
  ann = await server.signUp();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

async function open(who = ann): Promise<TestSocket> {
  const socket = await connect(server.url, who.tokens.accessToken);
  sockets.push(socket);
  return socket;
}

const ids = (ticks: CoinTicks) => ticks.coins.map(({ id }) => id).toSorted((a, b) => a - b);

/** Sends any value as `watch_coins` and returns the ticks that follow. */
function watch(socket: TestSocket, coins: unknown): Promise<CoinTicks> {
  const ticks = next(socket, 'coin_ticks');
  socket.emit('watch_coins', coins as number[]);
  return ticks;
}

/** Resolves after this many polls of the market. */
const looks = (more: number) => {
  const until = calls + more;
  return expect.poll(() => calls, { interval: 10 }).toBeGreaterThanOrEqual(until);
};

/** Resolves when the server has stopped polling the market. */
const peace = () => {
  let before = Number.NaN;
  const sinceThen = () => {
    const more = calls - before;
    before = calls;
    return more;
  };
  return expect.poll(sinceThen, { interval: 5 * LOOK }).toBe(0);
};

/** Collects everything a socket receives. */
function told(socket: TestSocket): CoinTicks[] {
  const all: CoinTicks[] = [];
  socket.on('coin_ticks', (ticks) => all.push(ticks));
  return all;
}

describe('the ticks of the coins on the screen', () => {
  test('come at once, with the figures of the list, and then with what has moved', async () => {
    const socket = await open();
    const first = z.parse(coinTicks, await watch(socket, [BITCOIN, DOGECOIN]));
    expect(ids(first)).toEqual([BITCOIN, DOGECOIN]);
    const response = await server.post('/coin-market/get-data', {}, { authorization: ann.authorization });
    const list = z.parse(marketListAnswer, await response.json()).data;
    expect(first.source).toEqual(list.source);
    for (const { id, quote } of first.coins) {
      expect(list.data.find((coin) => coin.id === id)).toMatchObject({ quote });
    }

    const second = next(socket, 'coin_ticks');
    const begun = time;
    time += TICK;
    const moved = await second;
    expect(ids(moved)).toEqual([BITCOIN, DOGECOIN]);
    expect(Date.parse(moved.source.asOf)).toBe(begun + TICK);
    expect(moved.coins.find(({ id }) => id === DOGECOIN)?.quote.USD.price).not.toBe(
      first.coins.find(({ id }) => id === DOGECOIN)?.quote.USD.price,
    );
    // Bitcoin's price in Bitcoin is constant; its price in dollars is not.
    expect(moved.coins.find(({ id }) => id === BITCOIN)?.quote.BTC.price).toBe(1);
  });

  test('go to each socket for its own coins', async () => {
    const bob = await server.signUp();
    const [mine, other, theirs] = [await open(), await open(), await open(bob)];
    expect(ids(await watch(mine, [BITCOIN]))).toEqual([BITCOIN]);
    expect(ids(await watch(other, [DOGECOIN, ETHEREUM, DOGECOIN]))).toEqual([DOGECOIN, ETHEREUM]);
    expect(ids(await watch(theirs, [ETHEREUM]))).toEqual([ETHEREUM]);
    const heard = [told(mine), told(other), told(theirs)];
    time += TICK;
    await expect.poll(() => heard.every(({ length }) => length > 0)).toBe(true);
    expect(heard.map(([ticks]) => ticks && ids(ticks))).toEqual([[BITCOIN], [DOGECOIN, ETHEREUM], [ETHEREUM]]);
    expect(new Set(heard.map(([ticks]) => ticks?.source.asOf)).size).toBe(1);
    // Each change is sent once. Polling an unchanged market sends nothing.
    await looks(3);
    expect(heard.map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test('follow the list: new coins at once, and none that has left it', async () => {
    const socket = await open();
    await watch(socket, [BITCOIN, DOGECOIN]);
    // Dogecoin stays watched and unchanged, so only the new coin is sent.
    expect(ids(await watch(socket, [DOGECOIN, ETHEREUM]))).toEqual([ETHEREUM]);
    const later = next(socket, 'coin_ticks');
    time += TICK;
    expect(ids(await later)).toEqual([DOGECOIN, ETHEREUM]);
    // A coin that is watched again is sent again, because its viewer may have missed changes.
    expect(ids(await watch(socket, [BITCOIN]))).toEqual([BITCOIN]);
  });

  test('end, and with the last of them the looks at the market', async () => {
    const [one, two] = [await open(), await open()];
    await watch(one, [BITCOIN]);
    await watch(two, [BITCOIN]);
    const silent = told(one);
    one.emit('watch_coins', []);
    await looks(1);
    time += TICK;
    await next(two, 'coin_ticks');
    expect(silent).toEqual([]);
    two.disconnect();
    await peace();
    // The next viewer gets the latest figures.
    time += TICK;
    expect(Date.parse((await watch(one, [BITCOIN])).source.asOf)).toBe(time);
  });

  test('outlast a provider that fails', async () => {
    const socket = await open();
    await peace();
    down = true;
    const ticks = watch(socket, [BITCOIN]);
    await looks(3);
    down = false;
    expect(ids(await ticks)).toEqual([BITCOIN]);
  });

  test('do not change for what is no list of ids', async () => {
    const socket = await open();
    await watch(socket, [BITCOIN]);
    const tooMany = Array.from({ length: 201 }, (_, index) => index + 1);
    for (const sent of [undefined, null, 'BTC', { length: 1 }, [0], [1.5], ['1'], [1_000_000_000], tooMany]) {
      socket.emit('watch_coins', sent as number[]);
    }
    await looks(1);
    const later = next(socket, 'coin_ticks');
    time += TICK;
    expect(ids(await later)).toEqual([BITCOIN]);
  });

  test('are for at most 200 coins, and omit unknown ones', async () => {
    const { coins } = await countedMarket().snapshot();
    const some = coins.slice(0, 50).map(({ id }) => id);
    const many = [...some, ...Array.from({ length: 150 }, (_, index) => 900_000_000 + index)];
    expect(ids(await watch(await open(), many))).toEqual(some.toSorted((a, b) => a - b));
  });

  test('a user who changes the coins without end is not followed any more, but gets a rest', async () => {
    const socket = await open();
    const heard = told(socket);
    for (let index = 0; index < 300; index++) socket.emit('watch_coins', [BITCOIN]);
    socket.emit('watch_coins', [DOGECOIN]);
    await expect.poll(() => heard.length).toBe(1);
    await looks(2);
    time += TICK;
    await expect.poll(() => heard.length).toBe(2);
    expect(heard.map(ids)).toEqual([[BITCOIN], [BITCOIN]]);
    socket.emit('watch_coins', []);
    await peace();
  });
});
