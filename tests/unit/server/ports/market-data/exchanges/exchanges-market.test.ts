import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { createExchangesMarket } from '#server/ports/market-data/exchanges/exchanges-market.ts';
import { VENUE_IDS } from '#server/ports/market-data/exchanges/venue.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { countingBudgets, neverSpent } from '#tests/support/market/exchanges/counting-budgets.ts';
import { type ExchangeWorld, type ListedCoin, RATES, startExchangeWorld } from '#tests/support/market/exchanges/exchange-world.ts';
import type { Fault } from '#tests/support/market/exchanges/fake-exchange.ts';

const MAKER = 1518;
const TICK = 10 * SECOND;
/** So long that a test that waits for an exchange fails. */
const PATIENCE = 60 * SECOND;

let now: number;
let world: ExchangeWorld;
let market: MarketData;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 25, 4, 30);
  world = await startExchangeWorld(110, () => now);
  market = open();
});
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

const open = (budgets: Budgets = countingBudgets()) =>
  createExchangesMarket({ clock: () => now, budgets, tickMs: TICK, urls: world.urls, patience: PATIENCE, wait: 20_000 });

const fail = (fault: Fault | undefined) => {
  for (const id of VENUE_IDS) world[id].fault = fault;
};

/** The snapshot after a further tick. */
function next(): Promise<MarketSnapshot> {
  now += TICK;
  return market.snapshot();
}

const priceOf = (snapshot: MarketSnapshot, id: number): number | null =>
  snapshot.coins.find((coin) => coin.id === id)?.quote.USD.price ?? null;

/** The volume-weighted median of a coin's markets, worked out by laying out its volume in pieces of 20,000 dollars. */
function expected(symbol: string): { price: number; change: number } {
  const markets = VENUE_IDS.flatMap((id) =>
    world[id].markets
      .filter(({ base }) => base === symbol)
      .map(({ quote, price, open: before, volume }) => {
        const rate = RATES[quote as keyof typeof RATES];
        const dollars = (price ?? 0) * rate;
        return { dollars, traded: dollars * (volume ?? 0), change: id === 'kraken' ? undefined : ((price ?? 0) / (before ?? 1) - 1) * 100 };
      }),
  );
  const half = (of: { value: number; traded: number }[]) => {
    const line = of
      .sort((a, b) => a.value - b.value)
      .flatMap(({ value, traded }) => new Array<number>(Math.round(traded / 20_000)).fill(value));
    return line[Math.floor(line.length / 2)] ?? Number.NaN;
  };
  return {
    price: half(markets.map(({ dollars, traded }) => ({ value: dollars, traded }))),
    change: half(markets.flatMap(({ change, traded }) => (change === undefined ? [] : [{ value: change, traded }]))),
  };
}

describe('figures', () => {
  test('the first 100 coins have price, change, volume and cap: the volume-weighted median of all markets in dollars', async () => {
    const { coins, source } = await market.snapshot();
    expect(source).toEqual({ name: 'Binance, Coinbase, Kraken, and OKX', demo: false, asOf: new Date(now).toISOString() });
    const byId = new Map(coins.map((coin) => [coin.id, coin]));
    const bitcoin = expected('BTC').price;
    for (const { id, symbol, supply } of world.coins.slice(0, 100)) {
      const coin = byId.get(id);
      const { price, change } = expected(symbol);
      expect((coin?.quote.USD.price ?? 0) / price, symbol).toBeCloseTo(1, 8);
      expect(coin?.quote.USD.percent_change_24h, symbol).toBeCloseTo(change, 6);
      expect((coin?.quote.USD.market_cap ?? 0) / (price * supply)).toBeCloseTo(1, 8);
      expect(coin?.quote.USD.volume_24h).toBeGreaterThan(1_000_000);
      expect(coin?.isCapEstimated).toBe(true);
      expect(coin?.quote.BTC.price).toBeCloseTo(price / bitcoin, 8);
    }
    expect(coins.map(({ rank }) => rank)).toEqual(coins.map((_, index) => index + 1));
  });

  test('each coin has its sources with their prices and times', async () => {
    const { coins } = await market.snapshot();
    const sources = coins.find(({ id }) => id === 1)?.sources ?? [];
    expect(sources.map(({ name }) => name).sort()).toEqual(['Binance', 'Coinbase', 'Kraken', 'OKX']);
    for (const { price, asOf } of sources) {
      expect(price).toBeGreaterThan(89_000);
      expect(asOf).toBe(new Date(now).toISOString());
    }
  });

  test('symbols of Kraken are known by their common names, and ambiguous symbols belong to no coin', async () => {
    const at = (base: string, price: number) => ({ base, quote: 'USD', price, open: price, volume: 1e6 });
    // VELO means Velo on one exchange, and Velodrome on others.
    world.kraken.markets.push(at('VELO', 5));
    world.okx.markets.push({ ...at('VELO', 0.01), quote: 'USDT' });
    world.binance.markets.push({ ...at('BTTC', 0.3), quote: 'USDT' });
    for (const id of ['coinbase', 'binance', 'okx'] as const) world[id].markets = world[id].markets.filter(({ base }) => base !== 'DOGE');
    for (const id of VENUE_IDS) world[id].markets = world[id].markets.filter(({ base }) => base !== 'BTT');
    const snapshot = await market.snapshot();
    expect(snapshot.coins.find(({ symbol }) => symbol === 'DOGE')?.sources?.map(({ name }) => name)).toEqual(['Kraken']);
    expect(priceOf(snapshot, 7127)).toBeCloseTo(0.01 * RATES.USDT, 8);
    // Binance lists BitTorrent by a symbol of its own.
    expect(priceOf(snapshot, 16086)).toBeCloseTo(0.3 * RATES.USDT, 8);
  });

  test('ended markets, markets without trades and unreadable figures do not count', async () => {
    const { id: coin, symbol, price, open: before } = world.coins[40] as ListedCoin;
    const traded = { base: symbol, quote: 'USDT', price, open: before, volume: 1e6 };
    const unusable = {
      binance: { ...traded, isOpen: false },
      coinbase: { ...traded, quote: 'USD', price: null },
      kraken: { ...traded, quote: 'USD', price: 0 },
      okx: { ...traded, volume: 0 },
    };
    for (const id of VENUE_IDS) world[id].markets = [...world[id].markets.filter(({ base }) => base !== symbol), unusable[id]];
    expect(priceOf(await market.snapshot(), coin)).toBeNull();
  });

  test('a ticker older than a minute does not count', async () => {
    const coin = world.coins[0];
    for (const one of world.binance.markets) if (one.base === 'BTC') one.at = now - 61 * SECOND;
    const { coins } = await market.snapshot();
    expect(
      coins
        .find(({ id }) => id === coin?.id)
        ?.sources?.map(({ name }) => name)
        .sort(),
    ).toEqual(['Coinbase', 'Kraken', 'OKX']);
  });
});

describe('wrong exchanges', () => {
  test.each(VENUE_IDS)('%s is off by 50 %%: no figure changes by more than 0.1 %', async (id) => {
    const honest = await market.snapshot();
    for (const factor of [1.5, 0.5]) {
      world[id].factor = factor;
      const lied = await next();
      for (const { id: coin, symbol, quote } of honest.coins) {
        const price = priceOf(lied, coin);
        if (price === null) expect(symbol, 'is on no other exchange').toBe('none');
        expect(Math.abs((price ?? 0) / (quote.USD.price ?? 1) - 1), symbol).toBeLessThan(0.001);
      }
      expect(lied.source.name).not.toContain(world[id].id === 'okx' ? 'OKX' : id.replace(/^./, (letter) => letter.toUpperCase()));
    }
  });

  test('Tether that leaves its peg moves no price by its error', async () => {
    const before = await market.snapshot();
    const pegged = RATES.USDT;
    const broken = 0.9;
    for (const id of VENUE_IDS)
      for (const one of world[id].markets) {
        const factor = one.base === 'USDT' ? broken / pegged : one.quote === 'USDT' ? pegged / broken : 1;
        one.price = (one.price ?? 0) * factor;
      }
    const after = await next();
    expect(priceOf(after, 825)).toBeCloseTo(broken, 8);
    for (const { id } of world.coins) expect(priceOf(after, id)).toBeCloseTo(priceOf(before, id) ?? 0, 6);
  });

  test('two exchanges that disagree about a coin leave it without a price', async () => {
    const coin = world.coins[50];
    for (const id of ['binance', 'okx'] as const) world[id].markets = world[id].markets.filter(({ base }) => base !== coin?.symbol);
    for (const one of world.kraken.markets) if (one.base === coin?.symbol) one.price = (one.price ?? 0) * 3;
    expect(priceOf(await market.snapshot(), coin?.id ?? 0)).toBeNull();
    expect((await market.details(coin?.id ?? 0))?.coin.quote.USD.price).toBeNull();
  });

  test('without any dollar market, Tether counts as a dollar, and the source says so', async () => {
    world.coinbase.fault = { kind: 'reset' };
    world.kraken.fault = { kind: 'reset' };
    const { source, coins } = await market.snapshot();
    expect(source.name).toBe('Binance and OKX, with USDT at $1');
    expect(priceOf({ source, coins }, 1)).toBeGreaterThan(90_000);
  });
});

const FAULTS: [string, Fault][] = [
  ['closes the connection', { kind: 'reset' }],
  ['answers 403', { kind: 'status', status: 403 }],
  ['answers 418', { kind: 'status', status: 418, retryAfter: 120 }],
  ['answers 429', { kind: 'status', status: 429 }],
  ['answers 451', { kind: 'status', status: 451 }],
  ['answers 500', { kind: 'status', status: 500 }],
  ['sends garbage', { kind: 'text', text: '{"symbols":[{]]' }],
  ['sends another shape', { kind: 'json', body: { nothing: true } }],
  ['sends an empty list', { kind: 'json', body: [] }],
  ['sends a million rows', { kind: 'text', text: `[${'{},'.repeat(1_000_000)}{}]` }],
  ['sends 100 MB', { kind: 'huge', bytes: 100_000_000 }],
  ['never ends its answer', { kind: 'endless' }],
  ['never answers', { kind: 'silence' }],
];

describe('away', () => {
  test.each(FAULTS)('an exchange that %s is left out, and delays no answer', async (_, fault) => {
    world.binance.fault = fault;
    const { source, coins } = await market.snapshot();
    expect(source.name).toBe('Coinbase, Kraken, and OKX');
    expect(coins.length).toBeGreaterThan(100);
  });

  test.each(FAULTS)('all %s: the last figures show with their age, without waiting for an answer', async (_, fault) => {
    const before = await market.snapshot();
    fail(fault);
    const after = await next();
    expect(after.coins).toEqual(before.coins);
    expect(after.source.asOf).toBe(before.source.asOf);
  });

  test('an exchange that hangs delays the answer in which it begins to, and no later one', async () => {
    await market.snapshot();
    world.okx.fault = { kind: 'silence' };
    await next();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    // The timer that ends the wait never fires.
    expect((await next()).source.asOf).toBe(new Date(now).toISOString());
  });

  test('figures say that they are old once every exchange has failed, and recover when one answers again', async () => {
    const before = await market.snapshot();
    fail({ kind: 'reset' });
    const away = await next();
    expect(away.source).toEqual({ ...before.source, stale: true });
    now += 5 * 60 * SECOND;
    expect((await market.snapshot()).source).toEqual({ ...before.source, stale: true });
    fail(undefined);
    now += 60 * SECOND;
    expect((await market.snapshot()).source).toEqual({ ...before.source, asOf: new Date(now).toISOString() });
  });

  test('without any answer there is no market', async () => {
    fail({ kind: 'reset' });
    await expect(market.snapshot()).rejects.toMatchObject({ status: 503, code: 'market_unavailable' });
    expect(market.known()).not.toHaveLength(0);
  });
});

describe('calls', () => {
  test('1,000 users who look at 200 coins cost no more calls than one', async () => {
    await world.close();
    world = await startExchangeWorld(200, () => now);
    const asked = () => VENUE_IDS.flatMap((id) => world[id].calls).length;
    /** What the list, a coin's page and its chart read. */
    const lookAt = ({ id }: ListedCoin) => [market.snapshot(), market.details(id), market.history?.days(id), market.history?.hours(id)];
    /** The calls for groups of users at once, one group after another. */
    async function callsOf(groups: number, users: number): Promise<number> {
      market = open(neverSpent);
      const before = asked();
      await market.snapshot();
      for (let group = 0; group < groups; group++)
        for (const coin of world.coins) await Promise.all(Array.from({ length: users }, () => lookAt(coin)).flat());
      return asked() - before;
    }
    const one = await callsOf(1, 1);
    expect(one).toBeGreaterThan(2 * world.coins.length);
    expect(await callsOf(4, 250)).toBe(one);
  });

  test.each([
    ['429 with Retry-After', { kind: 'status', status: 429, retryAfter: 90 } as const, 90],
    ['429', { kind: 'status', status: 429 } as const, 30],
    ['418', { kind: 'status', status: 418 } as const, 120],
    ['403', { kind: 'status', status: 403 } as const, 600],
  ])('an exchange that answers %s is left alone for that time', async (_, fault, seconds) => {
    await market.snapshot();
    world.kraken.fault = fault;
    const asked = world.kraken.calls.length;
    for (let at = 0; at < seconds; at += 10) await next();
    expect(world.kraken.calls.length).toBe(asked + 1);
    world.kraken.fault = undefined;
    await next();
    await next();
    expect(world.kraken.calls.length).toBeGreaterThan(asked + 1);
  });

  test('an exchange is asked 30 times a minute at most, however short the figures live', async () => {
    market = createExchangesMarket({
      ...{ clock: () => now, budgets: countingBudgets(), tickMs: 1000, shortestLife: 1000, urls: world.urls },
      ...{ patience: PATIENCE, wait: 20_000 },
    });
    for (let at = 0; at < 40; at++) {
      now += SECOND;
      await market.snapshot();
    }
    // And one ping.
    expect(VENUE_IDS.map((id) => world[id].calls.length)).toEqual([31, 31, 31, 31]);
  });

  test('errors of Kraken and OKX come with status 200', async () => {
    await market.snapshot();
    world.kraken.fault = { kind: 'json', body: { error: ['EAPI:Rate limit exceeded'] } };
    world.okx.fault = { kind: 'json', body: { code: '50011', msg: 'Too Many Requests', data: [] } };
    const asked = world.kraken.calls.length + world.okx.calls.length;
    for (let at = 0; at < 3; at++) await next();
    expect(world.kraken.calls.length + world.okx.calls.length).toBe(asked + 2);
  });
});

describe('candles', () => {
  const days = () => market.history?.days(1);
  const asked = () => VENUE_IDS.flatMap((id) => world[id].calls).filter(({ pathname }) => /klines|candles|OHLC/.test(pathname)).length;

  test('a year of a coin is asked for once, and again when a day has closed', async () => {
    const first = await days();
    expect(first?.candles).toHaveLength(366);
    expect(first?.source).toBe('Coinbase BTC/USD');
    const calls = asked();
    await Promise.all(Array.from({ length: 100 }, days));
    expect(asked()).toBe(calls);
    now += DAY;
    const next = await days();
    expect(asked()).toBe(2 * calls);
    expect(next?.candles.at(-1)?.time).toBe((first?.candles.at(-1)?.time ?? 0) + DAY);
  });

  test('a day that opens is asked for at once, however late the last one was asked for', async () => {
    now = Date.UTC(2026, 10, 25, 23, 59);
    const before = await days();
    expect(await days()).toBe(before);
    now += MINUTE;
    expect((await days())?.candles.at(-1)?.time).toBe(now);
  });

  test('without a trade in the open candle, the exchange is asked again after 10 minutes', async () => {
    const hours = () => market.history?.hours(1);
    const ended = Math.floor(now / HOUR) * HOUR - 1;
    for (const id of VENUE_IDS) world[id].now = () => ended;
    expect((await hours())?.candles.at(-1)?.time).toBe(Math.floor(ended / HOUR) * HOUR);
    for (const id of VENUE_IDS) world[id].now = () => now;
    now += 10 * MINUTE - 1;
    expect((await hours())?.candles.at(-1)?.time).toBe(Math.floor(ended / HOUR) * HOUR);
    now += 1;
    expect((await hours())?.candles.at(-1)?.time).toBe(Math.floor(now / HOUR) * HOUR);
  });

  test('the candles stay while the exchanges are away, and say so', async () => {
    const first = await market.history?.hours(1);
    fail({ kind: 'reset' });
    now += HOUR;
    expect(await market.history?.hours(1)).toEqual({ ...first, stale: true });
  });
});

test('a coin of the catalogue that no exchange trades has its name and links, and no figures', async () => {
  const unlisted = await market.details(MAKER);
  expect(unlisted?.coin).toMatchObject({ symbol: 'MKR', quote: { USD: { price: null } } });
  expect(await market.details(999_999)).toBeUndefined();
});

test('live prices of the bots give Bitcoin its price; a replay does not', async () => {
  const feed = { source: 'Bybit BTCUSDT perpetual', speed: null, now: () => now, priceAt: () => 91_000, candles: async () => [] };
  const options = { clock: () => now, budgets: countingBudgets(), tickMs: TICK, urls: world.urls, patience: PATIENCE, wait: 20_000 };
  const live = await createExchangesMarket({ ...options, btc: { ...feed, live: () => ({ staleSince: null }) } }).snapshot();
  expect(priceOf(live, 1)).toBe(91_000);
  const bitcoin = live.coins.find(({ id }) => id === 1);
  expect(bitcoin?.sources?.[0]).toEqual({ name: feed.source, price: 91_000, asOf: new Date(now).toISOString() });
  expect(bitcoin?.quote.BTC.price).toBe(1);
  expect(bitcoin?.quote.USD.market_cap).toBeCloseTo(91_000 * (bitcoin?.circulatingSupply ?? 0), -3);
  const replay = await createExchangesMarket({ ...options, btc: feed }).snapshot();
  expect(priceOf(replay, 1)).toBeCloseTo(expected('BTC').price, 6);
});
