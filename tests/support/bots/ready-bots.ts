import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll } from 'vitest';
import type { BotAccess } from '#domain/bots/bot-access.ts';
import { HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createBotService } from '#server/bots/api/service.ts';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { botEvents, botOrders, botSignals, bots } from '#server/db/schema/bots.ts';
import { paperOrders } from '#server/db/schema/paper.ts';
import { type Exchange, type ExchangeAccount, ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

export const T0 = Date.UTC(2025, 0, 1);
const PRICE = 100_000;
/** The price reaches a long position's stop in the sixth candle. */
export const candles: Candle[] = Array.from({ length: 40 }, (_, index) => {
  const low = index === 30 ? 95_000 : PRICE;
  return { time: T0 + index * HOUR, open: PRICE, high: PRICE, low, close: PRICE, volume: 1 };
});

export const timeOut = () => new ExchangeError('unclear', 'no answer in time');

/** Makes an exchange refuse the key of a bot while `isRefused`. */
export const keyRefused =
  (isRefused: () => boolean) =>
  (account: ExchangeAccount): Partial<ExchangeAccount> => ({
    fills: (since) => (isRefused() ? Promise.reject(new ExchangeError('invalid-key', 'unknown')) : account.fills(since)),
  });

/** Opens a database for the tests of a file, and returns what starts bots on it. */
export function createReadyBots() {
  let kept: TestDb;
  beforeAll(async () => {
    kept = await openTestDb();
  });
  afterAll(() => kept.close());

  /** Starts a bot with a signal to go long. `change` replaces calls of its exchange account. */
  async function ready(
    change: (account: ExchangeAccount) => Partial<ExchangeAccount> = () => ({}),
    access: () => BotAccess = () => ({ allowed: true, reason: 'premium' }),
    priceNow?: number,
  ) {
    const { db } = kept;
    let life = 0;
    const wait = (ms = MINUTE): void => {
      life += ms;
    };
    const wrap = (exchange: Exchange): Exchange => ({
      ...exchange,
      account: (keys, owner) => {
        const account = exchange.account(keys, owner);
        return { ...account, ...change(account) };
      },
      ...(priceNow !== undefined && {
        feed: { ...exchange.feed, forming: async () => ({ ...(await exchange.feed.forming()), close: priceNow }) },
      }),
    });
    const rig = createRig({
      db,
      candles,
      start: 24,
      wrap,
      clock: () => rig.feed.now() + life,
      sleep: async (ms) => wait(ms),
      accessOf: async () => access(),
    });
    const [botId = ''] = await plantBots(db, 1, { now: T0 });
    await rig.engine.runBotCycle(botId);
    const candle = candles[23] as Candle;
    const level = { price: PRICE, touches: 3, firstTouch: T0, lastTouch: T0, turned: 'low', strength: 1 } as const;
    const entry = { side: 'long', setup: 'bounce', level, stop: 98_000, target: 106_000 } as const;
    const signal: Signal = { candle, atr: 500, levels: [level], trend: 'flat', entry };
    await db.insert(botSignals).values({ candle: candle.time, signal }).onConflictDoNothing();
    return {
      db,
      rig,
      botId,
      candle: candle.time,
      runCycle: (at?: number) => rig.engine.runBotCycle(botId, at),
      /** Moves the clock, by default past every lease. */
      wait,
      now: () => rig.feed.now() + life,
      bot: async () => (await db.select().from(bots).where(eq(bots.id, botId)))[0],
      orders: () => db.select().from(botOrders).where(eq(botOrders.botId, botId)).orderBy(asc(botOrders.createdAt)),
      sent: () => db.select().from(paperOrders).where(eq(paperOrders.botId, botId)),
      kinds: async () =>
        (await db.select({ kind: botEvents.kind }).from(botEvents).where(eq(botEvents.botId, botId)).orderBy(asc(botEvents.createdAt))).map(
          ({ kind }) => kind,
        ),
    };
  }

  /** The API calls of a rig's users. */
  const serviceOn = ({ exchange, engine }: ReturnType<typeof createRig>, clock: () => number) =>
    createBotService({
      db: kept.db,
      clock,
      exchange,
      testnet: false,
      safe: createKeySafe('a key for tests that is long enough, and no secret'),
      accessOf: async () => ({ allowed: true, reason: 'premium' }),
      runBotCycle: engine.runBotCycle,
      wake: () => undefined,
    });

  return { ready, serviceOn, db: () => kept.db };
}
