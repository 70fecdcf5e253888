import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BotTrade } from '#contract/bots/bot.ts';
import type { BotChart } from '#contract/bots/bot-chart.ts';
import { type DayProfit, type DeletedBot, TRADE_COLUMNS } from '#contract/bots/trade-history.ts';
import { roundToCents, sumOfCents } from '#domain/bots/bot-amounts.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { botTrades } from '#server/db/schema/bots.ts';
import { botBody, botCaller, forgetKeyChecks } from '#tests/support/bots/bots.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
let user: SignedUp;
let call: ReturnType<typeof botCaller>;
let now = Date.UTC(2026, 0, 10);

beforeAll(async () => {
  server = await startServer({ clock: () => now });
  user = await server.signUp();
  call = botCaller(server, user);
});
afterAll(() => server.close());
beforeEach(() => forgetKeyChecks(server));

const statusOf = async (id: string) => (await call('GET', `/trading-bots/${id}`)).body.data.status;
const settles = (id: string, status: string) => vi.waitFor(async () => expect(await statusOf(id)).toBe(status), { interval: 100 });

async function createBot(changes = {}): Promise<string> {
  const { status, body } = await call('POST', '/trading-bots', botBody(changes));
  expect(status).toBe(201);
  return body.data.bot_id;
}

describe('creating a bot', () => {
  test('sets the bot up, runs it and never returns its keys', async () => {
    const { status, body } = await call('POST', '/trading-bots', botBody());
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      bot_name: 'Tide',
      user_id: user.user.id,
      status: 'PROVISIONING',
      position_size: 1000,
      leverage: 15,
      max_drawdown: 30,
      equity: 1000,
      position: null,
      config: { asset: 'BTC', paper: true, custom_settings: { api_key: '', secret_key: '' } },
      key_hint: '-key',
    });
    await settles(body.data.bot_id, 'RUNNING');
    const { body: report } = await call('GET', `/trading-bots/${body.data.bot_id}/report`);
    expect(report.data.events.map((event: { kind: string }) => event.kind).sort()).toEqual(['created', 'running']);
    expect(JSON.stringify(report)).not.toContain('paper-demo');
  });

  test('moves credentials out of the custom settings', async () => {
    const { api_key, secret_key, ...rest } = botBody();
    const { status, body } = await call('POST', '/trading-bots', {
      ...rest,
      config: { asset: 'BTC', custom_settings: { api_key, secret_key } },
    });
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain(secret_key);
  });

  test.each([
    [{ api_key: 'paper-unreferred-key', secret_key: 'paper-unreferred-secret' }, 5010],
    [{ api_key: 'unknown', secret_key: 'nothing' }, 1818],
  ])('refuses the keys %o with %i', async (keys, code) => {
    const { status, body } = await call('POST', '/trading-bots', botBody(keys));
    expect(status).toBe(400);
    expect(body.detail.code).toBe(code);
  });

  test('accepts only BTC, at least 100 USD and at most 15×', async () => {
    expect((await call('POST', '/trading-bots', { ...botBody(), config: { asset: 'ETH' } })).body).toMatchObject({
      status: 400,
      message: 'Bots trade BTC only.',
    });
    expect((await call('POST', '/trading-bots', botBody({ position_size: '99' }))).body).toMatchObject({
      status: 400,
      message: 'Position size must be at least 100 USD',
    });
    expect((await call('POST', '/trading-bots', botBody({ leverage: 16 }))).status).toBe(400);
  });

  test('stores the loss at which the bot stops, from 5% to 90%, and changes it while the bot runs', async () => {
    const id = await createBot({ max_drawdown: '25' });
    await settles(id, 'RUNNING');
    const changed = await call('PUT', `/trading-bots/${id}`, { max_drawdown: '12' });
    expect(changed.body.data).toMatchObject({ status: 'RUNNING', max_drawdown: 12 });
    const { body: report } = await call('GET', `/trading-bots/${id}/report`);
    expect(report.data.events.map(({ text }: { text: string }) => text)).toContain('Stops after a loss of 12%.');
    for (const max_drawdown of ['4', '91', '30.5', '-9', 'all', '9'.repeat(30), 30, null]) {
      expect((await call('PUT', `/trading-bots/${id}`, { max_drawdown })).status).toBe(400);
      expect((await call('POST', '/trading-bots', { ...botBody(), max_drawdown })).status).toBe(400);
    }
  });

  test('creates one bot per idempotency key and refuses the key with another body', async () => {
    const headers = { 'idempotency-key': 'make-once' };
    const first = await call('POST', '/trading-bots', botBody({ bot_name: 'Once' }), headers);
    const second = await call('POST', '/trading-bots', botBody({ bot_name: 'Once' }), headers);
    expect(second.body).toEqual(first.body);
    expect((await call('POST', '/trading-bots', botBody({ bot_name: 'Twice' }), headers)).status).toBe(422);
  });

  test('refuses a user with neither Premium nor a new account, and says why', async () => {
    const stranger = await server.signUp();
    const before = now;
    now += 31 * DAY;
    const { status, body } = await botCaller(server, await again(stranger))('POST', '/trading-bots', botBody());
    now = before;
    expect(status).toBe(403);
    expect(body.message).toBe('Trading bot access requires Premium subscription or account must be less than 30 days old');
  });
});

async function again({ user: { email }, password }: SignedUp): Promise<SignedUp> {
  const { data } = (await (await server.post('/auth/login/', { email, password })).json()) as { data: { accessToken: string } };
  return { authorization: `Bearer ${data.accessToken}` } as SignedUp;
}

describe('ownership of bots', () => {
  test('accepts only the caller’s user id, in the query, a header or the body', async () => {
    const id = await createBot({ user_id: user.user.id });
    expect((await call('GET', `/trading-bots/${id}?user_id=${user.user.id}`)).status).toBe(200);
    expect((await call('GET', `/trading-bots/${id}?user_id=stranger`)).status).toBe(404);
    expect((await call('GET', '/trading-bots', undefined, { 'user-id': 'stranger' })).status).toBe(404);
    expect((await call('GET', '/users/stranger/trading-bots')).status).toBe(404);
    const { body } = await call('GET', `/users/${user.user.id}/trading-bots`, undefined, { 'user-id': user.user.id });
    expect(body.data.total).toBe(body.data.bots.length);
  });

  test('reports another user’s bot as not found', async () => {
    const id = await createBot();
    const other = botCaller(server, await server.signUp());
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/report'],
      ['POST', '/start'],
      ['POST', '/stop'],
      ['POST', '/pause'],
      ['POST', '/close'],
      ['DELETE', ''],
    ] as const)
      expect((await other(method, `/trading-bots/${id}${path}`)).status).toBe(404);
    expect((await other('PUT', `/trading-bots/${id}`, { bot_name: 'Mine' })).status).toBe(404);
  });
});

describe('the trades of a bot', () => {
  const COUNT = 53;
  /** Plants closed trades, one every five hours from 2026-01-01, and one open trade. Returns the bot's id. */
  async function traded(count = COUNT): Promise<string> {
    const botId = await createBot({ bot_name: 'Tide, "one"' });
    await settles(botId, 'RUNNING');
    const facts = { userId: user.user.id, botId, side: 'long', quantity: 0.01, entryPrice: 60_000 } as const;
    const closed = Array.from({ length: count }, (_, index) => {
      const openedAt = new Date(Date.UTC(2026, 0, 1) + index * 5 * HOUR);
      const pnl = (index % 7) - 2.995 + index / 1000;
      const reason = index === 0 ? '=1+1' : 'target';
      return {
        ...facts,
        entryId: `${botId}-${index}`,
        pnl,
        exitPrice: 60_100,
        openedAt,
        closedAt: new Date(openedAt.getTime() + HOUR),
        reason,
      };
    });
    await server.db.insert(botTrades).values([...closed, { ...facts, entryId: `${botId}-open`, openedAt: new Date(now) }]);
    return botId;
  }
  const get = async (path: string) => (await call('GET', path)).body.data;
  const fileOf = async (id: string) => {
    const response = await fetch(`${server.url}/api/v1/trading-bots/${id}/trades.csv`, { headers: { authorization: user.authorization } });
    return { headers: Object.fromEntries(response.headers), lines: (await response.text()).trimEnd().split('\r\n') };
  };

  test('come in pages and in the order of any column', async () => {
    const id = await traded();
    const first = await get(`/trading-bots/${id}/trades`);
    expect(first.total).toBe(COUNT);
    expect(first.trades).toHaveLength(50);
    const times = first.trades.map(({ closed_at }: BotTrade) => closed_at);
    expect(times).toEqual(times.toSorted().reverse());
    const last = await get(`/trading-bots/${id}/trades?offset=50`);
    expect(last.trades).toHaveLength(COUNT - 50);
    expect(last.trades.at(-1).reason).toBe('=1+1');
    for (const column of TRADE_COLUMNS) {
      const pages = await Promise.all([0, 50].map((offset) => get(`/trading-bots/${id}/trades?sort=${column}&order=asc&offset=${offset}`)));
      const trades: BotTrade[] = pages.flatMap((page) => page.trades);
      expect(new Set(trades.map((trade) => trade.id)).size, column).toBe(COUNT);
      const values = trades.map((trade) => trade[column]);
      expect(values, column).toEqual(values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    }
    for (const query of ['sort=user_id', 'sort=pnl;drop', 'order=up', 'offset=-1', 'offset=1e9', `offset=${'9'.repeat(40)}`])
      expect((await call('GET', `/trading-bots/${id}/trades?${query}`)).status, query).toBe(400);
    expect((await call('GET', `/trading-bots/${id}/trades?user_id=stranger`)).status).toBe(404);
  });

  test('add up to the same cent in the table, by day, in the file and after the bot is deleted', async () => {
    const id = await traded();
    const read = async () => {
      const pages = await Promise.all([0, 50].map((offset) => get(`/trading-bots/${id}/trades?offset=${offset}`)));
      const { days } = await get(`/trading-bots/${id}/profits`);
      const { headers, lines } = await fileOf(id);
      return { trades: pages.flatMap((page) => page.trades) as BotTrade[], days: days as DayProfit[], headers, lines };
    };
    const before = await read();
    const sum = sumOfCents(before.trades.map(({ pnl }) => pnl));
    expect(sum).not.toBe(0);
    expect(before.trades.map(({ pnl }) => pnl)).toEqual(before.trades.map(({ pnl }) => roundToCents(pnl)));
    expect(sumOfCents(before.days.map(({ profit }) => profit))).toBe(sum);
    const [head = '', ...rows] = before.lines;
    const place = head.split(',').indexOf('profit_usd');
    expect(rows).toHaveLength(COUNT);
    expect(sumOfCents(rows.map((row) => Number(row.split(',')[place])))).toBe(sum);
    expect(rows[0]).toContain(",'=1+1,");
    expect(before.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': "attachment; filename*=UTF-8''tidemark-Tide-one-trades.csv",
    });

    expect((await call('DELETE', `/trading-bots/${id}`)).status).toBe(200);
    expect((await call('GET', `/trading-bots/${id}/report`)).status).toBe(404);
    const after = await read();
    expect(after.trades).toEqual(before.trades);
    expect(after.days).toEqual(before.days);
    expect(after.lines).toEqual(before.lines);
    expect(await get('/trading-bots/deleted')).toMatchObject([{ bot_id: id, bot_name: 'Tide, "one"', exchange: 'paper', paper: true }]);

    const other = botCaller(server, await server.signUp());
    for (const path of ['trades', 'trades.csv', 'profits']) expect((await other('GET', `/trading-bots/${id}/${path}`)).status).toBe(404);
    expect((await other('GET', '/trading-bots/deleted')).body.data).toEqual([]);
  });

  test('are all in the file, each once, oldest first', async () => {
    const id = await traded(1001);
    const [, ...rows] = (await fileOf(id)).lines;
    expect(rows).toHaveLength(1001);
    expect(new Set(rows.map((row) => row.split(',').at(-1))).size).toBe(1001);
    expect([...rows].sort()).toEqual(rows);
  });

  test("lie on the candles of the chart, at the feed's time", async () => {
    const id = await createBot();
    await settles(id, 'RUNNING');
    const empty: BotChart = await get(`/trading-bots/${id}/chart`);
    expect(empty).toMatchObject({ interval: HOUR, trades: [] });
    const [first, second] = empty.candles;
    if (!first || !second) throw new Error('There are no candles.');
    const facts = { userId: user.user.id, botId: id, side: 'long', quantity: 0.01, entryPrice: 60_000, openedAt: new Date(now) } as const;
    const exit = { exitPrice: 60_100, pnl: 0.994, reason: 'target', closedAt: new Date(now) };
    await server.db.insert(botTrades).values([
      { ...facts, ...exit, entryId: `${id}-before`, feedOpened: first.time - 2 * HOUR, feedClosed: first.time - HOUR },
      { ...facts, ...exit, entryId: `${id}-1`, feedOpened: first.time - HOUR, feedClosed: second.time + 1 },
      { ...facts, ...exit, entryId: `${id}-unknown` },
      { ...facts, entryId: `${id}-open`, feedOpened: second.time + 2 },
    ]);
    const { trades }: BotChart = await get(`/trading-bots/${id}/chart`);
    expect(trades).toMatchObject([
      { opened: first.time - HOUR, closed: { at: second.time + 1, price: 60_100, pnl: 0.99, reason: 'target' } },
      { opened: second.time + 2, closed: null },
    ]);
    const other = botCaller(server, await server.signUp());
    expect((await other('GET', `/trading-bots/${id}/chart`)).status).toBe(404);
  });

  test('leave no deleted bot behind without a trade', async () => {
    const id = await createBot({ bot_name: 'Idle' });
    await settles(id, 'RUNNING');
    await call('DELETE', `/trading-bots/${id}`);
    const names = (await get('/trading-bots/deleted')).map((bot: DeletedBot) => bot.bot_name);
    expect(names).not.toContain('Idle');
    expect((await call('GET', `/trading-bots/${id}/trades`)).status).toBe(404);
  });
});

describe('the lifecycle of a bot', () => {
  test('pauses, resumes, stops, changes, starts and deletes', async () => {
    const id = await createBot();
    await settles(id, 'RUNNING');
    expect((await call('POST', `/trading-bots/${id}/pause`)).body.data.paused_reason).toBe('Paused by you');
    expect((await call('POST', `/trading-bots/${id}/resume`)).body.data.paused_reason).toBeNull();
    expect((await call('POST', `/trading-bots/${id}/close`)).body.data).toMatchObject({ status: 'RUNNING', closing: false });
    expect((await call('POST', `/trading-bots/${id}/close`, { position_id: 'x'.repeat(1000) })).status).toBe(400);
    expect((await call('PUT', `/trading-bots/${id}`, { position_size: '2000' })).status).toBe(409);
    expect((await call('PUT', `/trading-bots/${id}`, { bot_name: 'Renamed' })).body.data.bot_name).toBe('Renamed');
    expect((await call('POST', `/trading-bots/${id}/stop`, { mode: 'close' })).body.data.status).toBe('STOPPING');
    await settles(id, 'STOPPED');
    expect((await call('PUT', `/trading-bots/${id}`, { position_size: '2000' })).body.data).toMatchObject({
      position_size: 2000,
      equity: 2000,
    });
    expect((await call('POST', `/trading-bots/${id}/start`)).body.data.status).toBe('PROVISIONING');
    await settles(id, 'RUNNING');
    const headers = { 'idempotency-key': 'gone' };
    expect((await call('DELETE', `/trading-bots/${id}`, undefined, headers)).body).toEqual({ status: 200, data: { bot_id: id } });
    expect((await call('DELETE', `/trading-bots/${id}`, undefined, headers)).status).toBe(200);
    expect((await call('GET', `/trading-bots/${id}`)).status).toBe(404);
  });
});
