import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indicatorAnswer, TIMEFRAMES, type Timeframe } from '#contract/market/indicator.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { type Candle, foldCandles } from '#domain/market/candles.ts';
import { createIndicators } from '#server/modules/indicator/service.ts';
import { readHistory } from '#server/ports/exchange/paper/history.ts';
import { createPaperExchange } from '#server/ports/exchange/paper/paper-exchange.ts';
import { createSteppedFeed } from '#server/ports/exchange/paper/stepped-feed.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import { createStrategy } from '#server/strategy/strategy.ts';
import { openTestDb } from '#tests/support/bots/paper-account.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const LENGTH: Record<Timeframe, number> = { '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY };
const candles: Candle[] = foldCandles(readHistory(), 15 * MINUTE);

describe('the indicator', () => {
  test.each(TIMEFRAMES)('of %s shows the candles so far, and what the strategy sees in them', async (timeframe) => {
    const feed = createSteppedFeed(candles, { interval: 15 * MINUTE, start: 2500 });
    const indicators = createIndicators({ feed });
    for (let step = 0; step < 120; step++) {
      if (step % 40 === 0) {
        const shown = await indicators.of(timeframe);
        const folded = foldCandles(candles.slice(0, 2500 + step), LENGTH[timeframe]);
        const next = Math.floor(feed.now() / LENGTH[timeframe]) * LENGTH[timeframe];
        const closed = folded.filter(({ time }) => time < next);
        expect(shown.candles.slice(0, -1)).toEqual(closed.slice(-299));
        expect(shown.candles.at(-1)?.time).toBe(next);
        const strategy = createStrategy(parametersFor(LENGTH[timeframe]));
        const signal = closed.map((candle) => strategy.next(candle)).at(-1);
        const close = signal?.candle.close ?? 0;
        for (const { kind, price, touches, strength, last_touch } of shown.levels) {
          const level = signal?.levels.find((candidate) => candidate.price === price);
          expect(level).toMatchObject({ touches, lastTouch: last_touch });
          expect(kind).toBe(price <= close ? 'support' : 'resistance');
          expect(strength).toBeGreaterThan(0);
          expect(strength).toBeLessThanOrEqual(1);
        }
        expect(shown.levels.length).toBe(Math.min(signal?.levels.length ?? 0, 16));
        expect(shown.signal.action).toBe(signal?.entry?.side ?? 'wait');
      }
      await feed.step();
    }
  });

  test('says the same to many who ask at once', async () => {
    const feed = createSteppedFeed(candles, { interval: 15 * MINUTE, start: 2500 });
    const indicators = createIndicators({ feed });
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => indicators.of('1h')));
    for (const other of others) expect(other).toEqual(first);
    expect(first?.levels.length).toBeGreaterThan(3);
  });
});

describe('over HTTP', () => {
  let server: TestServer;
  let ada: SignedUp;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const store = await openTestDb();
    remove = store.remove;
    const feed = createSteppedFeed(candles, { interval: 15 * MINUTE, start: 2500 });
    server = await startServer({ exchange: createPaperExchange({ db: store.db, feed }) });
    ada = await server.signUp();
  });
  afterAll(async () => {
    await server.close();
    await remove();
  });

  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}/api/indicator/${path}`, { headers });

  test('it is for those who are signed in', async () => {
    expect((await get('1h')).status).toBe(401);
    const answer = await get('1h', { authorization: ada.authorization });
    expect(answer.status).toBe(200);
    const { data } = indicatorAnswer.parse(await answer.json());
    expect(data).toMatchObject({ timeframe: '1h', source: 'Stepped candles', speed: 1 });
    expect(data.candles).toHaveLength(300);
  });

  test('there are no other lengths', async () => {
    expect((await get('2h', { authorization: ada.authorization })).status).toBe(400);
  });
});
