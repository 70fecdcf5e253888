import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import { botBody, botCaller, forgetKeyChecks } from '#tests/support/bots/bots.ts';
import { type BybitServer, startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { type Fault, instead, neverArrives, refused } from '#tests/support/bots/bybit/faults.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { expectNoBot, PRICE, stillCandles } from '#tests/support/bots/live-account.ts';
import { createLog, filesWith } from '#tests/support/server/leaks.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const CANARY = 'canary-41d8';

let exchange: BybitServer;
let server: TestServer;
let user: SignedUp;
const log = createLog();
/** How far the server and the exchange are ahead of the machine, ms. */
let ahead = 0;
const clock = () => Date.now() + ahead;

beforeAll(async () => {
  exchange = await startBybit({ now: clock, price: () => PRICE, candles: stillCandles });
  const bybit = createBybit({
    testnet: false,
    urls: [exchange.url],
    referral: { code: '77' },
    clock,
    budget: freeBudget,
    interval: HOUR,
    report: (error) => console.error(error),
    patience: { answer: 5000, limit: 0 },
  });
  server = await startServer({
    clock,
    env: { LOG_LEVEL: 'trace' },
    logTo: log,
    exchangeOn: () => bybit,
  });
  user = await server.signUp();
});
beforeEach(() => forgetKeyChecks(server));
afterEach(() => exchange.heal());
afterAll(async () => {
  await server.close();
  await exchange.close();
});

type Key = ReturnType<BybitServer['open']>;
let opened = 0;
const open = (info: Parameters<BybitServer['open']>[1] = {}): Key => exchange.open(`${CANARY}-${++opened}`, { affiliateId: 77, ...info });
const live = ({ key, secret }: Pick<Key, 'key' | 'secret'>) => ({
  ...botBody({ api_key: key, secret_key: secret }),
  confirm_live: 'LIVE',
});
const create = (key: Pick<Key, 'key' | 'secret'>) => botCaller(server, user)('POST', '/trading-bots', live(key));
const contracts = (...ContractTrade: string[]) => ({ permissions: { ContractTrade, Wallet: [] } });

const INVALID = 'Invalid API key or secret. Please check your credentials.';

test.each<[string, () => Pick<Key, 'key' | 'secret'>, number | string, string]>([
  ['an unknown key', () => ({ key: 'unknown-key-id', secret: 'whatever-it-is' }), 1818, INVALID],
  ['a wrong secret', () => ({ ...open(), secret: 'another-secret' }), 1818, INVALID],
  ['a revoked key', () => Object.assign(open(), { revoked: true }), 1818, INVALID],
  ['an expired key', () => open({ expiresAt: 1 }), 1818, INVALID],
  [
    'an account of another user',
    () => open({ affiliateId: 78 }),
    5010,
    "This account was not registered using Tidemark's referral code. Please register with a valid referral code.",
  ],
  ['a key that only reads', () => open({ readOnly: true }), 'permission', 'cannot trade'],
  ['a key without positions', () => open(contracts('Order')), 'permission', 'cannot trade'],
  ['a key without orders', () => open(contracts('Position')), 'permission', 'cannot trade'],
  [
    'a key that may withdraw',
    () => open({ permissions: { ContractTrade: ['Order', 'Position'], Wallet: ['AccountTransfer', 'Withdraw'] } }),
    'withdraw',
    'can withdraw money',
  ],
  ['a user in the United States', () => open({ kycRegion: 'USA' }), 'restricted', 'not available in your country'],
  ['a key that is bound to other addresses', () => open({ ips: ['203.0.113.7'] }), 'address', 'other network addresses'],
])('%s creates no bot', async (_who, key, code, message) => {
  await expectNoBot(botCaller(server, user), await create(key()), { code, message });
});

test.each<[string, Fault]>([
  ['does not answer', neverArrives],
  ['is under maintenance', instead(503, '<html></html>')],
  ['limits our requests', refused(10006, 'Too many visits!')],
  ['answers in HTML', instead(200, '<html></html>')],
])('an exchange that %s does not blame the user’s key', async (_what, fault) => {
  const key = open();
  exchange.fail('user/query-api', fault, fault);
  const { status, body } = await create(key);
  expect(status).toBe(502);
  expect(JSON.stringify(body)).toContain('Failed to create trading bot');
});

test('real money is traded only after a typed confirmation', async () => {
  const { confirm_live: _, ...unconfirmed } = live(open());
  const { status, body } = await botCaller(server, user)('POST', '/trading-bots', unconfirmed);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('Type LIVE to confirm.');
});

test('a valid key creates one bot per exchange account, for any user and any key of it', async () => {
  const key = open({ userId: 4711 });
  const made = await create(key);
  expect(made.status).toBe(201);
  const call = botCaller(server, user);
  const id = made.body.data.bot_id;
  await vi.waitFor(async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('RUNNING'), { timeout: 30_000 });
  expect(key.venue.settings).toEqual({ marginMode: 'ISOLATED_MARGIN', hedge: false });
  expect(key.venue.leverage()).toBe(15);

  const other = await server.signUp();
  const second = open({ userId: 4711 });
  const refusedTwice = [await create(key), await botCaller(server, other)('POST', '/trading-bots', live(second))];
  for (const { status, body } of refusedTwice) {
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('Another bot here already trades on this exchange account.');
  }
  expect((await call('DELETE', `/trading-bots/${id}`)).status).toBe(200);
});

test('a live key’s secret is in no answer, log or file', async () => {
  const key = open();
  const call = botCaller(server, user);
  exchange.fail('account/info', neverArrives, instead(500, '<html></html>'), refused(10001, `params error ${key.secret}`));
  const failed = () => log.text().split('bot cycle failed').length;
  const before = failed();
  const answers = [await create(key)];
  expect(answers[0]?.status).toBe(201);
  const id = answers[0]?.body.data.bot_id;
  // Each failure doubles the wait for the next try.
  for (let failures = 1; failures <= 3; failures++) {
    await vi.waitFor(() => expect(failed() - before).toBeGreaterThanOrEqual(failures));
    ahead += MINUTE;
  }
  await vi.waitFor(async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('RUNNING'));
  key.revoked = true;
  answers.push(await create(key), await call('GET', `/trading-bots/${id}/report`), await call('DELETE', `/trading-bots/${id}`));
  expect(JSON.stringify(answers)).not.toContain(CANARY);
  expect(log.text()).not.toContain(CANARY);
  expect(filesWith(server.dataDir, CANARY)).toEqual([]);
});
