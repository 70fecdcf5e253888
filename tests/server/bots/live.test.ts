import fs from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CreateBotBody } from '#contract/bots/bot.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { createBotOperations } from '#server/bots/api/operator.ts';
import { bots } from '#server/db/schema/bots.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { keptSettings } from '#server/db/schema/operations.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import type { Exchange, KeyFacts } from '#server/ports/exchange/exchange.ts';
import { defaultInterval } from '#server/settings/default-interval.ts';
import { botBody, botCaller, forgetKeyChecks } from '#tests/support/bots/bots.ts';
import { liveExchange } from '#tests/support/bots/live-exchange.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const ENDS = Date.UTC(2030, 0, 1);
let server: TestServer;
let user: SignedUp;
let other: SignedUp;
/** The exchange's answer about any key. */
let facts: Partial<KeyFacts> = {};
let exchange: Exchange;

beforeAll(async () => {
  server = await startServer({
    env: { EXCHANGE: 'bybit', REFERRAL_CODE: '77', EGRESS_ADDRESSES: '192.0.2.1' },
    // A key `a/1` belongs to account a.
    exchangeOn: (db) => {
      exchange = liveExchange(db, ({ key }) => ({ accountId: key.split('/')[0] ?? '', expiresAt: ENDS, takerFee: 0.0004, ...facts }));
      return exchange;
    },
  });
  user = await server.signUp();
  other = await server.signUp();
});
beforeEach(() => forgetKeyChecks(server));
afterAll(() => server?.close());

const create = (who: SignedUp, changes: Partial<CreateBotBody>, headers?: Record<string, string>) =>
  botCaller(server, who)('POST', '/trading-bots', botBody({ confirm_live: 'LIVE', ...changes }), headers);
const runs = (who: SignedUp, id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await botCaller(server, who)('GET', `/trading-bots/${id}`);
      expect(body.data.status).toBe('RUNNING');
      return body.data;
    },
    { interval: 100 },
  );

describe('real money', () => {
  test('appears in the public configuration, with the addresses that orders come from', async () => {
    const { data } = (await (await fetch(`${server.url}/api/config`)).json()) as { data: { bots: object } };
    expect(data.bots).toMatchObject({ exchange: 'bybit', paper: false, speed: null, interval: '1h', egressAddresses: ['192.0.2.1'] });
  });

  test.each([undefined, '', 'live', 'LIVE!'])('is not traded with the confirmation %j', async (confirm_live) => {
    const { status, body } = await create(user, { confirm_live, api_key: 'worded' });
    expect(status).toBe(400);
    expect(body.message).toBe('This bot trades real money. Type LIVE to confirm.');
    expect(await server.db.$count(bots)).toBe(0);
  });

  test('is traded after the confirmation, and every answer about the bot says so', async () => {
    const { status, body } = await create(user, { api_key: 'told', bot_name: 'Paper trading' });
    expect(status).toBe(201);
    expect(await runs(user, body.data.bot_id)).toMatchObject({
      config: { exchange: 'bybit', paper: false },
      key_expires_at: new Date(ENDS).toISOString(),
      taker_fee: 0.0004,
    });
    const { body: report } = await botCaller(server, user)('GET', `/trading-bots/${body.data.bot_id}/report`);
    expect(report.data.events.at(-1).text).toBe('Created with 1000 USD of real money at 15×.');
  });

  test.each([
    [{ mayWithdraw: true }, 'This API key can withdraw money. Create a key that can only trade.'],
    [{ mayTrade: false }, 'This API key cannot trade. Allow it to place orders and to hold positions.'],
    [{ restricted: true }, 'Automated trading is not available in your country.'],
  ])('refuses a key that the exchange describes as %o', async (said, message) => {
    facts = said;
    const { status, body } = await create(user, { api_key: 'refused' });
    facts = {};
    expect(status).toBe(400);
    expect(body.message).toBe(message);
  });
});

describe('an exchange account trades for one bot', () => {
  const IN_USE = 'Another bot here already trades on this exchange account. Create a subaccount for this bot, with its own key.';

  test('at a time, for any user and any of its keys', async () => {
    const { body: first } = await create(user, { api_key: 'single/1' });
    for (const [who, api_key] of [
      [user, 'single/1'],
      [other, 'single/1'],
      [other, 'single/2'],
    ] as const)
      expect((await create(who, { api_key })).body).toMatchObject({ status: 400, message: IN_USE });
    await runs(user, first.data.bot_id);
    expect((await botCaller(server, user)('DELETE', `/trading-bots/${first.data.bot_id}`)).status).toBe(200);
    expect((await create(other, { api_key: 'single/2' })).status).toBe(201);
  });

  test('when two requests arrive at the same time', async () => {
    const answers = await Promise.all([user, other].map((who) => create(who, { api_key: 'at-once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  test('and a retry after a lost answer returns that bot', async () => {
    const headers = { 'idempotency-key': 'lost-answer' };
    const first = await create(user, { api_key: 'again' }, headers);
    expect(first.status).toBe(201);
    expect((await create(user, { api_key: 'again' }, headers)).body).toEqual(first.body);
  });
});

describe('replacing the API key of a bot', () => {
  const secret_key = 'canary-secret-of-the-next-key';
  const replace = (who: SignedUp, id: string, body: object, headers?: Record<string, string>) =>
    botCaller(server, who)('PUT', `/trading-bots/${id}`, body, headers);
  let id: string;
  beforeAll(async () => {
    id = (await create(user, { api_key: 'rotated/1st' })).body.data.bot_id;
    await runs(user, id);
  });

  test('works while the bot trades, restarts the expiry warnings, and is journaled without the secret', async () => {
    await server.db.update(bots).set({ keyWarnedDays: 1 }).where(eq(bots.id, id));
    facts = { expiresAt: ENDS + DAY };
    const headers = { 'idempotency-key': 'rotate-once' };
    const { status, body } = await replace(user, id, { api_key: 'rotated/2nd', secret_key }, headers);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'RUNNING', key_hint: '/2nd', key_expires_at: new Date(ENDS + DAY).toISOString() });
    expect((await replace(user, id, { api_key: 'rotated/2nd', secret_key }, headers)).body).toEqual(body);
    facts = {};
    const [row] = await server.db.select().from(bots).where(eq(bots.id, id));
    expect(row?.keyWarnedDays).toBeNull();
    const { body: report } = await botCaller(server, user)('GET', `/trading-bots/${id}/report`);
    const told = report.data.events.filter(({ kind }: { kind: string }) => kind === 'changed');
    expect(told).toMatchObject([{ actor: 'user', text: 'API key replaced. The new key ends in /2nd.' }]);
    expect(JSON.stringify(report)).not.toContain(secret_key);
  });

  test('requires the same exchange account', async () => {
    expect((await replace(user, id, { api_key: 'elsewhere/1', secret_key })).body).toMatchObject({
      status: 400,
      message: 'This API key is of another exchange account. Use a key of the account that the bot trades on.',
    });
    expect((await botCaller(server, user)('GET', `/trading-bots/${id}`)).body.data.key_hint).toBe('/2nd');
  });

  test.each([
    [{ api_key: 'rotated/3rd' }, 'secret_key', 'Please enter your Secret key'],
    [{ secret_key }, 'api_key', 'Please enter your API key'],
  ])('refuses half a key: %o', async (half, field, message) => {
    const { status, body } = await replace(user, id, half);
    expect(status).toBe(400);
    expect(body).toMatchObject({ message, detail: { fields: { [field]: message } } });
  });

  test('refuses too many permissions, and another user’s bot', async () => {
    facts = { mayWithdraw: true };
    const tooMuch = await replace(user, id, { api_key: 'rotated/3rd', secret_key });
    facts = {};
    expect(tooMuch.body.detail.code).toBe('withdraw');
    expect((await replace(other, id, { api_key: 'rotated/3rd', secret_key })).status).toBe(404);
  });

  test('lets a bot start again after its last key failed', async () => {
    await server.db
      .update(bots)
      .set({ status: 'ERROR', statusReason: 'The exchange no longer accepts this API key.' })
      .where(eq(bots.id, id));
    const { body } = await replace(user, id, { api_key: 'rotated/4th', secret_key });
    expect(body.data).toMatchObject({ status: 'STOPPED', status_reason: null, key_hint: '/4th' });
    await botCaller(server, user)('POST', `/trading-bots/${id}/start`);
    expect(await runs(user, id)).toMatchObject({ key_hint: '/4th' });
  });
});

test('a bot with an unreadable key says so, accepts another key, and can be deleted', async () => {
  const call = botCaller(server, user);
  const id = (await create(user, { api_key: 'unread/1' })).body.data.bot_id;
  await runs(user, id);
  const spoil = () =>
    server.db
      .update(bots)
      .set({ sealedKeys: Buffer.from('sealed under a SECRETS_KEY that is gone') })
      .where(eq(bots.id, id));
  await spoil();
  await call('POST', `/trading-bots/${id}/stop`);
  await vi.waitFor(async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('ERROR'));
  expect((await call('GET', `/trading-bots/${id}`)).body.data.status_reason).toBe(
    "This bot's stored API key can no longer be read. Replace it in the bot's settings.",
  );
  expect((await call('PUT', `/trading-bots/${id}`, { api_key: 'unread/2', secret_key: 'another' })).body.data.status).toBe('STOPPED');
  await call('POST', `/trading-bots/${id}/start`);
  await runs(user, id);
  await spoil();
  expect((await call('DELETE', `/trading-bots/${id}`)).status).toBe(200);
});

test('a halt is shown on each bot and prevents stopped bots from starting', async () => {
  const call = botCaller(server, other);
  const { body } = await create(other, { api_key: 'halted' });
  const path = `/trading-bots/${body.data.bot_id}`;
  await runs(other, body.data.bot_id);
  const clock = Date.now;
  const operating = createBotOperations({ db: server.db, clock, ...createNotifications({ db: server.db, clock }) });
  await operating.haltUser(other.user.id);
  await vi.waitFor(async () => expect((await call('GET', path)).body.data.status).toBe('STOPPED'), { interval: 100 });
  expect((await call('GET', path)).body.data.paused_reason).toBe('Halted by the operator');
  expect((await call('POST', `${path}/start`)).body).toMatchObject({ status: 409, message: 'Halted by the operator' });
  const [told] = await server.db.select().from(notifications).where(eq(notifications.userId, other.user.id));
  expect(told?.text).toBe('The operator halted your trading bots. They stop and close open positions at market price.');
  await operating.resume(other.user.id);
  expect((await call('GET', path)).body.data.paused_reason).toBeNull();
  expect((await call('POST', `${path}/start`)).status).toBe(200);
});

test('a bot created for paper shows as paper, does not trade real money, and can be deleted', async () => {
  const call = botCaller(server, user);
  const { body } = await create(user, { api_key: 'moved' });
  const id = body.data.bot_id;
  await runs(user, id);
  await server.db.update(bots).set({ exchange: 'paper' }).where(eq(bots.id, id));
  expect((await call('GET', `/trading-bots/${id}`)).body.data.config).toMatchObject({ exchange: 'paper', paper: true, speed: null });
  await call('POST', `/trading-bots/${id}/stop`);
  await vi.waitFor(async () => expect((await call('GET', `/trading-bots/${id}`)).body.data.status).toBe('ERROR'));
  expect((await call('GET', `/trading-bots/${id}`)).body.data.status_reason).toBe(
    'This bot was made for the paper exchange. Bots here trade on Bybit, with real money.',
  );
  expect((await call('DELETE', `/trading-bots/${id}`)).status).toBe(200);
});

describe('candles that no backtest covers', () => {
  const REFUSAL =
    "No backtest covers 15m candles, so the strategy's results on them are unknown. A bot can't be created or started with real money on them.";
  const tradeOn = (interval: number) => Object.assign(exchange, { feed: { ...exchange.feed, interval } });
  afterEach(() => {
    tradeOn(HOUR);
    Object.assign(exchange, { paper: false });
  });

  test('are traded by no new bot with real money, and by none that starts again', async () => {
    const call = botCaller(server, user);
    const { body } = await create(user, { api_key: 'measured' });
    const path = `/trading-bots/${body.data.bot_id}`;
    await runs(user, body.data.bot_id);
    expect((await call('GET', `${path}/report`)).body.data.backtest).toMatchObject({ name: 'Binance BTC/USDT perpetual, 1h candles' });
    await call('POST', `${path}/stop`);
    await vi.waitFor(async () => expect((await call('GET', path)).body.data.status).toBe('STOPPED'));

    tradeOn(15 * MINUTE);
    expect(await create(user, { api_key: 'unmeasured' })).toMatchObject({ status: 409, body: { message: REFUSAL } });
    expect(await call('POST', `${path}/start`)).toMatchObject({ status: 409, body: { message: REFUSAL } });
    expect((await call('GET', `${path}/report`)).body.data.backtest).toBeNull();
  });

  test('are traded with play money', async () => {
    tradeOn(15 * MINUTE);
    Object.assign(exchange, { paper: true });
    expect((await create(user, { api_key: 'played' })).status).toBe(201);
  });
});

test('bots trade hourly candles by default, and an installation that had bots before keeps 15 minutes', async () => {
  expect(await defaultInterval(server.db)).toBe(HOUR);
  const folder = new URL('../../../src/server/db/migrations/', import.meta.url);
  const file = fs.readdirSync(folder).find((name) => name.endsWith('_kept_settings.sql')) ?? '';
  const [, keep = ''] = fs.readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint');
  expect(await server.db.$count(bots)).toBeGreaterThan(0);
  await server.db.execute(sql.raw(keep));
  expect(await defaultInterval(server.db)).toBe(15 * MINUTE);
  await server.db.delete(keptSettings);
});
