import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { createOkx } from '#server/ports/exchange/okx/okx.ts';
import { botBody, botCaller, forgetKeyChecks } from '#tests/support/bots/bots.ts';
import { instead, neverArrives } from '#tests/support/bots/bybit/faults.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { expectNoBot, PRICE, stillCandles } from '#tests/support/bots/live-account.ts';
import { refusedByOkx } from '#tests/support/bots/okx/okx-faults.ts';
import { type OkxServer, startOkx } from '#tests/support/bots/okx/okx-server.ts';
import { createLog, filesWith } from '#tests/support/server/leaks.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const CANARY = 'canary-7e02';

let exchange: OkxServer;
let partner: ReturnType<OkxServer['open']>;
let server: TestServer;
let user: SignedUp;
const log = createLog();

beforeAll(async () => {
  exchange = await startOkx({ now: Date.now, price: () => PRICE, candles: stillCandles });
  partner = exchange.open('partner');
  const okx = createOkx({
    demo: false,
    url: exchange.url,
    affiliate: partner,
    clock: Date.now,
    budget: freeBudget,
    interval: HOUR,
    report: (error) => console.error(error),
    patience: { answer: 5000, limit: 0 },
  });
  server = await startServer({
    env: { LOG_LEVEL: 'trace' },
    logTo: log,
    exchangeOn: () => okx,
  });
  user = await server.signUp();
});
beforeEach(() => forgetKeyChecks(server));
afterEach(() => exchange.heal());
afterAll(async () => {
  await server.close();
  await exchange.close();
});

type Key = ReturnType<OkxServer['open']>;
type Secrets = Pick<Key, 'key' | 'secret' | 'passphrase'>;
let opened = 0;
const stranger = (info: Parameters<OkxServer['open']>[1] = {}): Key => exchange.open(`${CANARY}-${++opened}`, info);
function open(info: Parameters<OkxServer['open']>[1] = {}): Key {
  const key = stranger(info);
  exchange.introduce(partner, key);
  return key;
}
const create = ({ key, secret, passphrase }: Secrets) =>
  botCaller(server, user)('POST', '/trading-bots', {
    ...botBody({ api_key: key, secret_key: secret, passphrase }),
    confirm_live: 'LIVE',
  });

const INVALID = 'Invalid API key or secret. Please check your credentials.';

test.each<[string, () => Secrets, number | string | undefined, string]>([
  ['an unknown key', () => ({ key: 'unknown-key-id', secret: 'whatever-it-is', passphrase: 'and this' }), 1818, INVALID],
  ['a wrong passphrase', () => ({ ...open(), passphrase: 'another' }), 1818, INVALID],
  ['no passphrase', () => ({ ...open(), passphrase: '' }), undefined, 'Please enter the passphrase of your API key'],
  ['an account of another user', () => stranger(), 5010, "not registered using Tidemark's referral code"],
  ['a key that only reads', () => open({ permissions: ['read_only'] }), 'permission', 'cannot trade'],
  ['a key that may withdraw', () => open({ permissions: ['read_only', 'trade', 'withdraw'] }), 'withdraw', 'can withdraw money'],
  ['a key that is bound to other addresses', () => open({ ips: ['203.0.113.7'] }), 'address', 'other network addresses'],
])('%s creates no bot at OKX', async (_who, key, code, message) => {
  await expectNoBot(botCaller(server, user), await create(key()), { code, message });
});

test('a passphrase is sealed like the secret, replaced with the key, and in no answer, log or file', async () => {
  const key = open({ userId: 4711 });
  const call = botCaller(server, user);
  exchange.fail('account/leverage-info', neverArrives, instead(500, '<html></html>'), refusedByOkx(51000, `error ${key.passphrase}`));
  const answers = [await create(key)];
  expect(answers[0]?.status).toBe(201);
  const id = answers[0]?.body.data.bot_id;
  const isRunning = async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('RUNNING');
  await vi.waitFor(isRunning, { timeout: 40_000 });
  expect(key.venue.leverage()).toBe(15);

  const next = open({ userId: 4711 });
  const replacement = { api_key: next.key, secret_key: next.secret };
  const incomplete = await call('PUT', `/trading-bots/${id}`, replacement);
  expect(JSON.stringify(incomplete)).toContain('Please enter the passphrase of your API key');
  answers.push(await call('PUT', `/trading-bots/${id}`, { ...replacement, passphrase: next.passphrase }));
  expect([incomplete.status, answers[1]?.status]).toEqual([400, 200]);
  answers.push(await create(key), await call('GET', `/trading-bots/${id}/report`), await call('DELETE', `/trading-bots/${id}`));
  expect(JSON.stringify(answers)).not.toContain(CANARY);
  expect(log.text()).toContain('bot cycle failed');
  expect(log.text()).not.toContain(CANARY);
  expect(filesWith(server.dataDir, CANARY)).toEqual([]);
});
