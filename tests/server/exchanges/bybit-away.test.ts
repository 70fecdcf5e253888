import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { bots } from '#server/db/schema/bots.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** The app when Bybit is unreachable from the start. */
let server: TestServer;
let bybit: Exchange;
let user: SignedUp;

beforeAll(async () => {
  bybit = createBybit({
    testnet: false,
    urls: [`http://127.0.0.1:${await freePort()}`],
    referral: { code: '77' },
    clock: Date.now,
    budget: freeBudget,
    interval: HOUR,
    report: () => undefined,
    patience: { answer: 5000, limit: 0 },
  });
  server = await startServer({ exchangeOn: () => bybit });
  user = await server.signUp();
});
afterAll(() => server.close());

test('no bot is created, and the user is asked to try again', async () => {
  const answer = await botCaller(server, user)('POST', '/trading-bots', { ...botBody(), confirm_live: 'LIVE' });
  expect(answer).toMatchObject({ status: 502, body: { message: 'Failed to create trading bot' } });
});

test('existing bots show the last known price, and wait', async () => {
  const id = crypto.randomUUID();
  const keys = { key: 'some-key', secret: 'some-secret' };
  const safe = createKeySafe(server.config.secretsKey);
  const seen = new Date(Date.now() - 10 * MINUTE);
  const position = {
    side: 'long',
    quantity: 0.1,
    entryPrice: 50_000,
    stop: 49_000,
    target: null,
    liquidationPrice: 46_000,
    unrealised: 25,
    entryId: crypto.randomUUID(),
    openedAt: seen.getTime(),
    openedClock: seen.getTime(),
  };
  await server.db.insert(bots).values({
    id,
    userId: user.user.id,
    name: 'Tide',
    status: 'RUNNING',
    positionSize: 1000,
    leverage: 10,
    exchange: 'bybit',
    sealedKeys: safe.seal(id, keys),
    keyHint: '-key',
    keyDigest: safe.digest(keys.key),
    equity: 1025,
    position,
    keyCheckedAt: new Date(),
    lastExchangeAt: seen,
    fillsSeenTo: seen.getTime(),
    createdAt: seen,
  });
  const { status, body } = await botCaller(server, user)('GET', `/trading-bots/${id}`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ equity: 1025, position: { mark_price: 50_250, unrealised_pnl: 25 } });
  const stopped = await botCaller(server, user)('POST', `/trading-bots/${id}/stop`, { mode: 'close' });
  expect(stopped.status).toBe(200);
  const [row] = await server.db.select().from(bots).where(eq(bots.id, id));
  expect(row).toMatchObject({ status: 'STOPPING', position: { quantity: 0.1 } });
});

test('the indicator reports the outage, and the market still works', async () => {
  const get = (path: string) => fetch(`${server.url}/api/${path}`, { headers: { authorization: user.authorization } });
  const indicator = await get('indicator/1h');
  expect([indicator.status, await indicator.json()]).toEqual([
    503,
    { status: 503, code: 'market_unavailable', message: 'Market data is not available right now. Try again in a moment.' },
  ]);
  expect((await get('coin-market/global-search/btc')).status).toBe(200);
});
