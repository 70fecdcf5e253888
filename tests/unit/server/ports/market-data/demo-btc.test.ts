import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { foldCandles } from '#domain/market/candles.ts';
import { readHistory } from '#server/ports/exchange/paper/history.ts';
import { createTimeline } from '#server/ports/exchange/paper/replay-timeline.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';

const START = Date.UTC(2026, 4, 13, 9);
const SPEED = 60;
const TICK = 5000;

/** A demo market with a replay that started at START. */
function marketWith() {
  const history = readHistory();
  const timeline = createTimeline(history, (history[0]?.time ?? 0) + Math.floor((START - 20 * DAY - (history[0]?.time ?? 0)) / DAY) * DAY);
  const clock = { now: START };
  const now = () => START + (clock.now - START) * SPEED;
  const feed = {
    source: 'the replay',
    speed: SPEED,
    now,
    priceAt: timeline.priceAt,
    candles: async (length: number, count: number) => {
      const open = Math.floor(now() / length) * length;
      return Array.from({ length: count }, (_, index) => timeline.candle(open - (count - 1 - index) * length, length));
    },
  };
  const options = { clock: () => clock.now, seed: 1, tickMs: TICK };
  return { clock, feed, market: createDemoMarket({ ...options, btc: feed }), without: createDemoMarket(options) };
}

const coinsOf = async ({ snapshot }: ReturnType<typeof createDemoMarket>) =>
  new Map((await snapshot()).coins.map((coin) => [coin.id, coin]));

it('BTC has the price and the changes of the feed that bots trade on', async () => {
  const { clock, feed, market } = marketWith();
  clock.now += 7 * TICK;
  const usd = (await coinsOf(market)).get(1)?.quote.USD;
  const price = feed.priceAt(feed.now());
  expect(usd?.price).toBe(price);
  for (const [change, age] of [
    [usd?.percent_change_1h, HOUR],
    [usd?.percent_change_24h, DAY],
    [usd?.percent_change_90d, 90 * DAY],
  ] as const)
    expect(change).toBeCloseTo((price / feed.priceAt(feed.now() - age) - 1) * 100, 6);
  // Within a tick nothing moves, however fast the feed runs.
  clock.now += TICK - 1;
  expect((await coinsOf(market)).get(1)?.quote.USD.price).toBe(price);
  clock.now += 1;
  expect((await coinsOf(market)).get(1)?.quote.USD.price).toBe(feed.priceAt(feed.now()));
});

it('other coins keep their dollar prices, and their BTC prices follow', async () => {
  const { market, without } = marketWith();
  const [beside, alone] = [await coinsOf(market), await coinsOf(without)];
  const btc = beside.get(1)?.quote.USD.price ?? 0;
  for (const [id, { quote }] of beside) {
    if (id === 1) continue;
    expect(quote.USD).toEqual(alone.get(id)?.quote.USD);
    expect(quote.BTC.price).toBeCloseTo((quote.USD.price ?? 0) / btc, 8);
  }
});

it('the history ends with the last closed hour of the feed, and is cached until the next one', async () => {
  const { clock, feed, market } = marketWith();
  clock.now += MINUTE;
  const series = await market.btcCandles();
  expect(series?.source).toBe('Binance BTC/USDT spot, then the replay');
  expect(series?.candles.slice(-48)).toEqual((await feed.candles(HOUR, 49)).slice(0, -1));
  expect(foldCandles(series?.candles ?? [], HOUR)).toHaveLength(17_999 + 90 * 24);
  clock.now += MINUTE - TICK;
  expect(await market.btcCandles()).toBe(series);
  clock.now += 2 * TICK;
  expect((await market.btcCandles())?.candles.at(-1)?.time).toBe(feed.now() - (feed.now() % HOUR) - HOUR);
});
